/** What the document says of the API as a whole. */
import type { Json } from './components.ts';

/** Meanings of statuses of success, where a route says nothing of its own. */
export const SUCCESS: Readonly<Record<number, string>> = { 200: 'Done.', 201: 'It was made.' };

/** A text on the header that names a workspace. */
export const WORKSPACE_HEADER = {
  'X-Workspace-Id': 'The same as the parameter `workspaceId`, for clients that always name one.',
};

const header = (description: string): Json => ({ description, schema: { type: 'string' } });

/** Headers of answers, by their names. */
export const HEADERS: Json = {
  'X-Request-Id': header('Names the request, in the list of recent requests and in the log.'),
  'WWW-Authenticate': header('`Bearer`.'),
  'Retry-After': header('After how many seconds to try again.'),
  Allow: header('The methods that the address takes.'),
};

/** What the document begins with. */
export const INTRODUCTION = `Everything that Parley’s window does, a program on the same computer can do. Only the loopback interface is ever bound.

**Keys.** Every request under \`/api/v1/\` needs \`Authorization: Bearer <key>\`. The local key and the address stand in \`connection.json\` in the data folder.
Other keys are made in the settings or by \`POST /api/v1/keys\`: with the scope \`chat\` (chats and messages) or \`admin\` (everything). An operation that needs \`admin\` says so.

**Workspaces.** A key is bound to one workspace or to none. One that is bound to none names the workspace by \`workspaceId\` in body or query, or by the header
\`X-Workspace-Id\`, wherever chats are made, listed or searched, and when a message is sent; what is about one chat otherwise needs no workspace. A chat of
another workspace is a 404.

**Answers.** Bodies are JSON in UTF-8. Every error has the same body (\`Error\`), with a code for programs and a sentence for people that says what to do. Fields and
parameters that Parley doesn’t know are passed over. \`HEAD\` answers as \`GET\` without the body, and \`OPTIONS\` with \`Allow\`.

**The usual way.** Make a chat, send a message, poll the chat (or follow its events) until its status is \`idle\`, \`failed\` or \`stopped\`, then read its messages.`;

/** The groups of operations, in their order, and what they are about. */
export const TAGS = {
  Chats: `A chat is a conversation. Its \`status\` says what is going on:

| \`status\` | Meaning |
| --- | --- |
| \`idle\` | Nothing waits. |
| \`pending\` | A message waits for a worker. |
| \`processing\` | A worker is making the reply. |
| \`completed\` | The reply is stored; the work after it is under way. |
| \`failed\` | The reply could not be made; the assistant message says why. Sending again makes the chat \`pending\`. |
| \`stopped\` | Somebody stopped it. What had been written is kept. |

A client that polls stops at \`idle\`, \`failed\` or \`stopped\`. Messages of one chat are answered one at a time, in order, and each gets exactly one assistant
message, an empty one if it was stopped while it waited; different chats are worked on side by side.`,
  Messages: `A user message, and the reply that answers it. A \`streaming\` reply can be read while it grows.`,
  'Waiting messages': `What is sent while a reply is under way waits: it is listed as a user message with status \`pending\`, in the order in which they are
answered. Each can be changed, moved, deleted (\`DELETE …/messages/{messageId}\`) or sent now, until a worker takes it: from then on that is a 409
\`message_taken\`, and nothing is changed. Who waits for the reply to a message that is deleted gets a 404 \`message_not_found\`.`,
  Files: `Pictures (PNG, JPEG, WebP, GIF), PDF, DOCX, and text of any kind, code, CSV and JSON included, of up to 20 MiB each and ten a message. A message takes them as
Base64, up to 20 MiB all together, or by the ids of uploads; its \`attachments\` name them. They are removed for good with the last message that has them.`,
  Versions: `Editing a message, or having a reply made anew, keeps what was there: the new message takes the place of the old one, which is hidden together with
everything that came after it. User messages of which there are several name them all in \`versions\`, oldest first. Only the chosen branch is listed, and only it
is shown to the model. All of this needs a chat without a reply under way or a message that waits (to delete one that waits doesn't): else it is a 409 \`chat_busy\`. To show, delete or restore a
message that is so already is a 200 and changes nothing.`,
  Events: `Server-sent events tell what happens as it happens, over \`fetch\` with the same header as all else. An \`id\` is a cursor; not every event has one.
Who comes back with the last (\`Last-Event-ID\`, or \`?after=\`) gets what was missed, with nothing lost or doubled. Something comes every ten seconds at least, if
only a comment: a stream that is silent for 25 is dead. It ends when the service stops, its key ends or the chat that it is of is deleted. A key or session can
have 100 open, all together 400; one more gets 429 with \`Retry-After: 5\`. Polling stays just as good.`,
  Approvals: 'Tools that change something, or send something away, ask a person first.',
  Context: 'How full the context of a chat’s model is, and summaries of older messages.',
  Search: 'Messages and chats by the words in them.',
  Drafts: 'What is being written, and not yet sent.',
  Notes: 'What Parley was asked to remember. Agents find it by their tools, in all chats of the workspace.',
  Prompts: 'Texts that are kept to be sent again, with placeholders that are filled in each time.',
  'Agents and models': 'What a chat’s `agentType` and `model` can be, and what agents can use.',
  OpenAI: `OpenAI's format, for programs that know it: they need only another base URL, \`/v1\` here, and a key. What they send beyond this is passed over, or refused in
words where that would change the answer. Errors are \`{ error: { message, type, param, code } }\`. Nothing is kept unless \`X-Parley-Chat\` or \`store\` says so.`,
  Projects:
    'Groups of chats of a workspace, with instructions and a default model of their own. A chat is in one at most (`projectId`).',
  Workspaces: 'Sets of chats that are kept apart from others.',
  Data: `Exports, imports and backups. An import or a restore brings in each chat whole or not at all, and never replaces anything: a chat keeps its id where that
is free; where it is there already with all its messages, it is passed over; else it comes in as a copy. A chat or message that is not as it should be is put
right where that loses no text, else left out, and the rest comes in: \`mended\` and \`leftOut\` count them, and \`problems\` says what was wrong.`,
  Keys: 'API keys. Only a digest of them is kept: a key itself is told once, when it is made.',
  Sessions: 'Browsers and windows that are signed in.',
  Settings: 'What a person can set.',
  Connections: 'Connected model servers. Nothing is contacted without one, and no answer holds a key.',
  'Tool servers': 'Servers of tools (MCP). No answer holds a value of their environment or headers.',
  Folders: 'Folders that tools may work in.',
  Service: 'The service itself.',
} as const;
