import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
  type McpServer,
  type ReadResourceResult,
} from '@modelcontextprotocol/server';
import { beginningOf } from '../../lib/beginning-of.ts';
import { explain, oneWorkspaceOf, workspaceOf, type Call } from './tool.ts';

const MARKDOWN = 'text/markdown';
/** How many chats are listed: those that changed last. */
const LISTED = 50;
/** What of a chat a client gets at once. */
const MAX_CHARACTERS = 200_000;

/** Each chat as a document: `parley://chats/{id}`, in Markdown. */
export function registerChatResource(server: McpServer, call: Call): void {
  /** Faults as clients of the protocol are told of them. */
  const told = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, explain(error, call));
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
      text = `${beginningOf(text, MAX_CHARACTERS)}\n\n[There is more: the tool read_chat with chatId "${id}" reads all of it.]\n`;
      break;
    }
    return { contents: [{ uri: uri.href, mimeType: MARKDOWN, text }] };
  };

  server.registerResource(
    'chat',
    new ResourceTemplate('parley://chats/{id}', { list: () => told(list) }),
    { title: 'Chat', description: 'A conversation in Parley, as Markdown.', mimeType: MARKDOWN },
    (uri, { id }) => told(() => read(uri, decoded(String(id)))),
  );
}

/** An id as it stands in an address; what can't be decoded is nobody's. */
function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
