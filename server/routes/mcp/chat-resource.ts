import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
  type McpServer,
  type ReadResourceResult,
} from '@modelcontextprotocol/server';
import { attempt } from '../../../shared/attempt.ts';
import { beginningOf } from '../../lib/beginning-of.ts';
import { explainThrown, oneWorkspaceOf, workspaceOf, type McpCall } from './tool.ts';

const MARKDOWN = 'text/markdown';
/** How many chats are listed, latest change first. */
const LISTED = 50;
/** How much of a chat a client gets at once. */
const MAX_CHARACTERS = 200_000;

/** Each chat as a document: `parley://chats/{id}`, in Markdown. */
export function registerChatResource(server: McpServer, call: McpCall): void {
  /** Turns errors into the protocol's own. */
  const inProtocol = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, explainThrown(error, call));
    }
  };

  const list = async () => {
    const { data } = await call.chats.list({
      workspaceId: oneWorkspaceOf(call),
      page: 1,
      pageSize: LISTED,
      archived: 'without',
      deleted: false,
    });
    return {
      resources: data.map(({ id, title, updatedAt }) => ({
        uri: `parley://chats/${encodeURIComponent(id)}`,
        name: title,
        title,
        mimeType: MARKDOWN,
        annotations: { lastModified: updatedAt },
      })),
    };
  };

  const read = async (uri: URL, id: string): Promise<ReadResourceResult> => {
    const download = await call.data.exportChat(id, workspaceOf(call), 'markdown');
    if (download === null) throw new ResourceNotFoundError(uri.href);
    let text = '';
    for await (const piece of download.text) {
      call.signal.throwIfAborted();
      text += piece;
      if (text.length <= MAX_CHARACTERS) continue;
      text = `${beginningOf(text, MAX_CHARACTERS)}\n\n[There is more: read_chat with chatId "${id}" returns all of it.]\n`;
      break;
    }
    return { contents: [{ uri: uri.href, mimeType: MARKDOWN, text }] };
  };

  server.registerResource(
    'chat',
    new ResourceTemplate('parley://chats/{id}', { list: () => inProtocol(list) }),
    { title: 'Chat', description: 'A conversation in Parley, as Markdown.', mimeType: MARKDOWN },
    // An id that can’t be decoded is left as it is, and won't be found.
    (uri, { id }) => inProtocol(() => read(uri, attempt(() => decodeURIComponent(String(id))) ?? String(id))),
  );
}
