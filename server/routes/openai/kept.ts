/**
 * Exchanges that are kept in a chat. The user's message is sent like any other, and the client follows its turn: so the
 * reply continues if the client disconnects or the service is killed, and the window shows it.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AttachmentInput } from '../../../shared/api/attachment.ts';
import { MAX_CONTENT_CHARACTERS } from '../../../shared/limits.ts';
import { withThousands } from '../../../shared/numbers.ts';
import type { Exchange, ExchangeTarget } from '../../events/exchanges.ts';
import { OpenAiError, invalidParam } from '../../plugins/openai-error.ts';
import type { StoredMessage } from '../../store/message-repository.ts';
import { requireWorkspaceId } from '../../plugins/workspace.ts';
import { idempotencyOf } from '../turn-start.ts';
import { sendForProgram, type SentMessage } from '../send-for-program.ts';
import { startAnswering, type Answered, type Answering, type ResponseSoFar } from './answering.ts';
import { departureOf, requireAgentOptions, type ParsedRequest } from './ask.ts';
import { requireUserText, type Entry } from './conversation.ts';
import type { OpenAiDeps } from './deps.ts';
import { pictureFetcher, requireFewFiles } from './give-files.ts';
import type { ClientFile } from './read-files.ts';
import { parametersOf, requireKeepable } from './parameters.ts';
import { failureOf, type FieldNames } from './fields.ts';

/** In a request, the chat to keep the exchange in, or `new`; in the response, the chat that it was kept in. */
const HEADER = 'x-parley-chat';
const NEW = 'new';

/** The chat to keep an exchange in, or `new`; null: it isn't kept. `store` means `new` if no chat is named. */
export function wantedChat(request: FastifyRequest, store: boolean | null | undefined): string | null {
  const wanted = String(request.headers[HEADER] ?? '').trim();
  if (wanted !== '') return wanted;
  return store === true ? NEW : null;
}

/** Where an exchange is to be kept. */
export interface KeepTarget {
  /** See {@link wantedChat}. */
  wanted: string;
  /** The user message to continue after. Absent: the last one of the chat. */
  after?: string | undefined;
  /** What the response repeats of its request. */
  echo?: Record<string, unknown> | undefined;
}

/**
 * Sends the user's last message to a chat, or to a new one for `new`, and makes the named model or agent the chat's own.
 * Resolves once that is on disk. Throws OpenAiError for what a chat can't hold, and AppError as a send does; then nothing
 * was created or changed.
 */
export async function keep(
  deps: OpenAiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { answerer, conversation, options, fields }: ParsedRequest,
  { wanted, after, echo }: KeepTarget,
): Promise<SentMessage> {
  const { entries, instructions } = conversation;
  const content = requireUserText(entries, fields.conversation);
  requireAgentOptions(options, 'Chats', fields);
  requireFewFiles(conversation, fields.conversation);
  if ((options.direct.tools?.length ?? 0) > 0) throw invalidParam('tools', NO_TOOLS);
  if (wanted === NEW && entries.length > 1) throw invalidParam(fields.conversation, NO_HISTORY);
  if (Array.from(content).length > MAX_CONTENT_CHARACTERS) throw invalidParam(fields.conversation, TOO_LONG);
  const parameters = parametersOf(options, instructions);
  await requireKeepable(parameters, fields);
  if (JSON.stringify(echo ?? null).length > MAX_ECHO_CHARACTERS)
    throw invalidParam('metadata', ECHO_TOO_LONG);

  const { model, agentType } = answerer;
  const attachments = await attachmentsOf(entries.at(-1), (address) =>
    pictureFetcher(deps, request, fields)(address, departureOf(reply)),
  );
  const sent = await sendForProgram(deps.chats, request, {
    chatId: wanted === NEW ? null : wanted,
    workspaceId: requireWorkspaceId(request),
    content,
    ...(attachments.length > 0 && { attachments }),
    mode: 'agent',
    parameters: Object.keys(parameters).length === 0 ? undefined : parameters,
    answerer: { model, ...(agentType !== null && { agentType }) },
    after,
    echo,
    // Nobody is there to approve a tool.
    onApproval: 'deny',
    ...idempotencyOf(request),
  });
  reply.header(HEADER, sent.chatId);
  return sent;
}

/** The files of the message that is sent. */
async function attachmentsOf(
  message: Entry | undefined,
  fetch: (address: string) => Promise<ClientFile>,
): Promise<AttachmentInput[]> {
  const attachments: AttachmentInput[] = [];
  for (const file of message?.role === 'user' ? message.files : []) {
    const { name, data } = file.isLinked === true ? await fetch(file.data) : file;
    attachments.push({ name, data });
  }
  return attachments;
}

/** Follows an exchange until it is answered or the client disconnects; the reply itself continues then. */
export function follow(
  { exchanges }: OpenAiDeps,
  reply: FastifyReply,
  target: ExchangeTarget,
  fields: FieldNames,
): Answering {
  return startAnswering(async (onWritten) => {
    let sent = { text: '', reasoning: '' };
    /** False: it doesn't continue what was sent, since another attempt at a reply begins anew. */
    const send = (text: string, reasoning: string): boolean => {
      const continues = text.startsWith(sent.text) || reasoning.includes(sent.text.trim());
      if (!continues || !reasoning.startsWith(sent.reasoning)) return false;
      sent = { text, reasoning };
      onWritten({ ...sent, calls: [] });
      return true;
    };
    const exchange = await exchanges.follow(target, {
      signal: departureOf(reply),
      onGrowth: ({ content, reasoning }) => send(content, reasoning),
    });
    const { content = '', reasoning = null } = exchange?.reply ?? {};
    const isNothing = [sent.text, sent.reasoning, content, reasoning ?? ''].every((text) => text === '');
    const isWhole = isNothing || send(content, reasoning ?? '');
    const answered = exchangeAnswer(exchange, fields);
    if (!isWhole) throw new OpenAiError(500, BEGUN_ANEW, { type: 'server_error' });
    return answered;
  });
}

/** The reply of an exchange; throws OpenAiError if it failed or was deleted. */
export function exchangeAnswer(exchange: Exchange | null, fields: FieldNames): Answered {
  if (exchange === null || exchange.reply === null)
    throw new OpenAiError(404, GONE, { code: 'response_not_found' });
  const { error, usage, stopReason } = exchange.reply;
  if (error !== null) throw failureOf(error, fields);
  return { ...writtenOf(exchange.reply), usage: usage ?? {}, stopReason };
}

/** A reply's text. Its steps aren't the client's calls. */
export const writtenOf = ({ content, reasoning }: StoredMessage): ResponseSoFar => ({
  text: content,
  reasoning: reasoning ?? '',
  calls: [],
});

const NO_TOOLS =
  'A chat is answered with its agent’s own tools; leave "tools" out, or don’t keep the exchange.';
const NO_HISTORY =
  'A new chat starts with one user message. To continue a chat, name it in the header X-Parley-Chat; it already has its earlier messages.';
const MAX_ECHO_CHARACTERS = 100_000;
const ECHO_TOO_LONG = `"metadata" and the other fields that a stored response repeats can have ${withThousands(MAX_ECHO_CHARACTERS)} characters; send less.`;
const TOO_LONG = `A message in a chat can have ${withThousands(MAX_CONTENT_CHARACTERS)} characters; send less at once.`;
const BEGUN_ANEW =
  'The reply was restarted, so the text streamed here is outdated. Read the reply in the chat.';
const GONE = 'The message or its reply was deleted.';
