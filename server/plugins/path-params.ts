/** The parameters of the API's paths: what each is, and the error when it names nothing. */
import { Type, type TProperties, type TSchema } from 'typebox';
import { text } from '../../shared/api/common.ts';
import type { ApiErrorCode } from '../../shared/errors.ts';

const PARAMS: Readonly<Record<string, readonly [schema: TSchema, missing?: ApiErrorCode]>> = {
  agentType: [text('The agent’s `agentType`.'), 'agent_not_found'],
  approvalId: [text('Id of the approval, from the step’s `approval`.'), 'approval_not_found'],
  chatId: [text('Id of the chat.'), 'chat_not_found'],
  chatKey: [
    text('The chat’s id, or `new` for the chat that does not exist yet.', {
      pattern: '^[A-Za-z0-9_-]{1,100}$',
      expected: '1 to 100 letters, digits, "_" or "-"',
    }),
  ],
  connectionId: [text('Id of the connection.'), 'connection_not_found'],
  fileId: [text('Id of the file.'), 'not_found'],
  folderId: [text('Id of the folder.'), 'folder_not_found'],
  keyId: [text('Id of the key.'), 'key_not_found'],
  messageId: [text('Id of the message.'), 'message_not_found'],
  modelName: [text('The name of a model or agent.')],
  name: [text('Name of the backup, from the list.'), 'backup_not_found'],
  noteId: [text('Id of the note.'), 'note_not_found'],
  projectId: [text('Id of the project.'), 'project_not_found'],
  promptId: [text('Id of the prompt.'), 'prompt_not_found'],
  responseId: [text('The id of a stored response.')],
  scheduleId: [text('Id of the schedule.'), 'schedule_not_found'],
  serverId: [text('Id of the tool server.'), 'mcp_server_not_found'],
  sessionId: [text('Id of the browser.'), 'session_not_found'],
  skillId: [text('Id of the skill.'), 'skill_not_found'],
  tool: [text('Id of the permission, or the name of a tool.'), 'permission_not_found'],
  workspaceId: [text('Id of the workspace.'), 'workspace_not_found'],
};

/** The values of the parameters in a path such as `/chats/:chatId`. */
export type ParamsOf<Url extends string> = Url extends `${string}:${infer Name}/${infer Rest}`
  ? Record<Name, string> & ParamsOf<Rest>
  : Url extends `${string}:${infer Name}`
    ? Record<Name, string>
    : unknown;

const namesIn = (url: string): string[] => [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => name);

/** The schema of a path's parameters, with some that are `own`; null: it has none. */
export function paramsOf(url: string, own: TProperties = {}): TSchema | null {
  const entries = namesIn(url).map(
    (name) => [name, own[name] ?? PARAMS[name]?.[0] ?? Type.String()] as const,
  );
  return entries.length === 0 ? null : Type.Object(Object.fromEntries(entries));
}

/** The errors when the parameters of a path name nothing. */
export const missingIn = (url: string): ApiErrorCode[] =>
  namesIn(url).flatMap((name) => PARAMS[name]?.[1] ?? []);
