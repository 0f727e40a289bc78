/** The texts of the API document that describe the API as a whole. */
import type { Json } from './components.ts';

/** Descriptions of success statuses, for routes that don't give their own. */
export const SUCCESS: Readonly<Record<number, string>> = { 200: 'Done.', 201: 'Created.' };

/** The header that names a workspace. */
export const WORKSPACE_HEADER = {
  'X-Workspace-Id': 'The same as the parameter `workspaceId`, for clients that always name one.',
};

const header = (description: string): Json => ({ description, schema: { type: 'string' } });

/** Response headers, by name. */
export const HEADERS: Json = {
  'X-Request-Id': header('Identifies the request in the list of recent requests and in the log.'),
  'WWW-Authenticate': header('`Bearer`.'),
  'Retry-After': header('How many seconds to wait before trying again.'),
  Allow: header('The methods that this address supports.'),
};

/** The introduction of the document. */
export const INTRODUCTION = `A program on the same computer can do everything that Parley’s window can. Parley only listens on the loopback interface.

**Keys.** Every request under \`/api/v1/\` needs \`Authorization: Bearer <key>\`. The address and the local key are in \`connection.json\` in the data folder.
Create other keys in the settings or with \`POST /api/v1/keys\`. A key has the scope \`chat\` (chats and messages) or \`admin\` (everything). An operation that needs \`admin\` says so.

**Workspaces.** A key works in one workspace or in all. With a key for all workspaces, name the workspace in \`workspaceId\` (body or query) or in the header
\`X-Workspace-Id\` to create, list or search chats and to send a message. Other requests about one chat need no workspace. A chat of another workspace is a 404.

**Responses.** Bodies are JSON in UTF-8. Every error has the same body (\`Error\`), with a code for programs and a sentence that tells a person what to do.
Unknown fields and parameters are ignored. In a body, a field that is null counts as absent, at any depth, unless it takes null. \`HEAD\` works like \`GET\` without the body, and \`OPTIONS\` returns \`Allow\`.

**Getting started.** Create a chat, send a message, poll the chat (or follow its events) until its status is \`idle\`, \`failed\` or \`stopped\`, then read its messages.`;

/** The groups of operations, in order, with a description each. */
export const TAGS = {
  Chats: `A chat is a conversation. Its \`status\` is one of:

| \`status\` | Meaning |
| --- | --- |
| \`idle\` | Nothing is waiting or in progress. |
| \`pending\` | A message waits for a worker. |
| \`processing\` | A worker is making the reply. |
| \`completed\` | The reply is stored; follow-up work, such as naming the chat, is running. |
| \`failed\` | The reply failed; the assistant message says why. Sending a message makes the chat \`pending\` again. |
| \`stopped\` | Somebody stopped it. What was written is kept. |

A client that polls stops at \`idle\`, \`failed\` or \`stopped\`. Messages of one chat are answered one at a time, in order. Each gets exactly one assistant
message, which is empty if the message was stopped while waiting. Different chats are answered in parallel.`,
  Messages: `User messages and their replies. A \`streaming\` reply can be read while it grows.`,
  'Waiting messages': `A message that is sent while a reply is in progress waits. It is listed as a user message with status \`pending\`; waiting messages
are answered in the order of the list. Each can be changed, moved, deleted (\`DELETE …/messages/{messageId}\`) or sent now, until its reply starts. After that, these
requests change nothing and return a 409 \`message_taken\`. A request that waits for the reply to a message that gets deleted returns a 404 \`message_not_found\`.`,
  Files: `Pictures (PNG, JPEG, WebP, GIF), PDF, DOCX and any text, including code, CSV and JSON: up to 20 MiB each, and ten per message. Send them with a message as
Base64, up to 20 MiB in total, or upload them first and send their ids. A message lists its files in \`attachments\`. A file is deleted for good with the last message that has it.`,
  Versions: `Editing a message or retrying a reply loses nothing: the new message takes the place of the old one, which is hidden together with
everything after it. A user message with several versions lists all of them in \`versions\`, oldest first. Only the chosen branch is listed, and the model only sees
that one. These requests need a chat with no reply in progress and no waiting message (deleting a waiting message always works); otherwise they return a 409
\`chat_busy\`. Showing, deleting or restoring a message that is already shown, deleted or restored is a 200 and changes nothing.`,
  Events: `Server-sent events report changes as they happen. Read them with \`fetch\` and the same header as every request. An \`id\` is a cursor; not every event has one.
A client that reconnects with the last one (\`Last-Event-ID\` or \`?after=\`) gets what it missed, without loss or repetition. Parley sends something at least every ten
seconds, if only a comment: a stream that is silent for 25 is dead. A stream ends when the service stops, its key ends, or its chat is deleted. A key or session can
have 100 streams open, all of them together 400; another one is a 429 with \`Retry-After: 5\`. Polling works just as well.`,
  Approvals: 'Tools that change something, or send something off this computer, ask a person first.',
  Context: 'How full the context of a chat’s model is, and summaries of older messages.',
  Search: 'Find messages and chats by their words.',
  Drafts: 'Text that is written but not yet sent.',
  Notes: 'What Parley was asked to remember. Agents can look it up in all chats of the workspace.',
  Prompts: 'Saved texts to use in messages, with placeholders to fill in each time.',
  'Agents and models': 'The agents and models that can answer in a chat, and the tools that agents can use.',
  OpenAI: `For programs that speak OpenAI's API: set their base URL to \`/v1\` here and give them a key. Fields that Parley doesn't support are ignored, or refused with an
explanation if they would change the answer. Errors are \`{ error: { message, type, param, code } }\`. Nothing is kept unless \`X-Parley-Chat\` or \`store\` asks for it.`,
  Projects:
    'Groups of chats in a workspace, with their own instructions and default model. A chat is in at most one (`projectId`).',
  Workspaces: 'Separate sets of chats.',
  Data: `Exports, imports and backups. An import or restore adds each chat in full or not at all, and never replaces anything. A chat keeps its id if that
is free. If it is already there with all its messages, it is skipped; otherwise it is imported as a copy. A damaged chat or message is repaired if that
loses no text, and left out otherwise; the rest is imported. \`mended\` and \`leftOut\` count them, and \`problems\` says what was wrong.`,
  Keys: 'API keys. Parley only stores a digest: the key itself is sent once, when it is created.',
  Sessions: 'Signed-in browsers and windows.',
  Settings: 'Settings of the window, the service and the desktop app.',
  Connections: 'Connected model servers. Parley contacts no others. Responses never hold a key.',
  'Tool servers':
    'Tool servers (MCP). Responses never hold values of their environment variables or headers.',
  Folders: 'Folders that tools may use.',
  Schedules: 'Messages that are sent at a time, once or by a rule.',
  Skills:
    'Instructions for a kind of task, in folders with a SKILL.md, and the folders that they are found in.',
  Service: 'The service itself.',
} as const;
