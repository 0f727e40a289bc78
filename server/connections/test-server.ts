import type { ConnectionTest } from '../../shared/api/connection.ts';
import { wordsIn } from '../net/error-words.ts';
import { redact } from '../lib/redact.ts';
import { requestJson, type JsonAnswer, type RequestLimits } from '../net/request-json.ts';
import { maskOf } from './credentials.ts';
import { explainAnswer, serverWordsOf, type Finding } from './findings.ts';
import { fieldsOf } from '../lib/fields.ts';
import { listServerModels, type ModelServer } from './list-models.ts';
import { baseAddressOf, headersFor, usualNameOf } from './server-address.ts';
import { RECORDS } from './providers/index.ts';

/** Status codes that a server may use for an unknown model. */
const MAYBE_NO_MODEL = [400, 404, 422];

const LIMIT = /max_(?:completion_)?tokens/i;

type Outcome = Omit<ConnectionTest, 'tookMs'>;

/** Tests a server: asks the named model for a word, or without one for its models. `limits` apply to each request. */
export async function testModelServer(
  server: ModelServer,
  modelId: string | null,
  limits: RequestLimits,
): Promise<Outcome> {
  const word = modelId === null ? null : await askForWord(server, modelId, limits);
  if (modelId !== null && word !== null) {
    if (isReply(word) || hasAnswered(word))
      return { finding: 'ok', message: `${modelId} answers.`, models: [] };
    const explained = explainAnswer(server, word);
    if (saysAll(word, explained)) return { ...explained, models: [] };
  }
  const listing = await listServerModels(server, limits, { brief: true });
  if (listing.state === 'not_listed') {
    return { ...(await explainWithHint(server, listing.answer, limits)), models: [] };
  }
  const models = listing.models.map(({ id }) => id);
  if (modelId === null || word === null) return good(server, models);
  return { ...refusal(server, modelId, models, word), models };
}

async function askForWord(server: ModelServer, modelId: string, limits: RequestLimits): Promise<JsonAnswer> {
  const { path, json } = RECORDS[server.provider].askForWord(modelId);
  const request = { url: baseAddressOf(server) + path, headers: headersFor(server), limits };
  const answer = await requestJson({ ...request, json });
  if (hasAnswered(answer) || !refuses(answer, LIMIT)) return answer;
  // Chats do without a limit that their server refuses, too.
  const rest = Object.entries(fieldsOf(json)).filter(([name]) => !LIMIT.test(name));
  return requestJson({ ...request, json: Object.fromEntries(rest) });
}

const isReply = (answer: JsonAnswer): boolean =>
  answer.state === 'answered' &&
  answer.status === 200 &&
  Object.keys(fieldsOf(answer.json)).length > 0 &&
  // Some servers answer 200 even to what they don't know.
  (fieldsOf(answer.json)['error'] ?? null) === null &&
  ('choices' in fieldsOf(answer.json) || wordsIn(answer.json) === '');

/** Whether only the test itself is refused: some models reach no word within so few tokens, and some only stream their answers. */
const hasAnswered = (answer: JsonAnswer): boolean =>
  refuses(answer, /output limit was reached|\bonly supports? (?:the )?stream/i);

const refuses = (answer: JsonAnswer, words: RegExp): boolean =>
  answer.state === 'answered' &&
  [400, 422].includes(answer.status) &&
  words.test(serverWordsOf(answer.json, redact));

/** Whether an answer shows clearly what is wrong, so that it can't be just a missing model. */
function saysAll(answer: JsonAnswer, { finding }: Finding): boolean {
  if (finding === 'key_needed' || finding === 'wrong_key') return true;
  if (answer.state === 'answered' && MAYBE_NO_MODEL.includes(answer.status)) return false;
  return finding !== 'wrong_address';
}

/** Explains a server that lists its models but gave no reply. */
function refusal(server: ModelServer, modelId: string, models: string[], answer: JsonAnswer): Finding {
  const { host } = new URL(baseAddressOf(server));
  const isAnswered = answer.state === 'answered';
  const text = isAnswered ? ` (${answer.status})${serverWordsOf(answer.json, maskOf(server))}` : '.';
  const { namesDeployments } = RECORDS[server.provider];
  const isMissing = namesDeployments ? isAnswered && answer.status === 404 : !models.includes(modelId);
  const what = namesDeployments ? 'deployment' : 'model';
  return isMissing
    ? { finding: 'no_such_model', message: `${host} has no ${what} “${modelId}”; choose one that it has.` }
    : { finding: 'failed', message: `${host} did not reply with ${modelId}${text}` };
}

function good(server: ModelServer, models: string[]): Outcome {
  const name = usualNameOf(server);
  if (RECORDS[server.provider].namesDeployments === true) {
    const message = `${name} answers. Its models go by the names of your deployments there.`;
    return { finding: 'ok', message, models };
  }
  const words = models.length === 1 ? 'one model' : `${models.length} models`;
  const message =
    models.length === 0
      ? `${name} answers, but offers no models yet; load one there.`
      : `${name} answers and offers ${words}.`;
  return { finding: 'ok', message, models };
}

/** Like {@link explainAnswer}, but also checks whether only the version is missing from the address. */
async function explainWithHint(
  server: ModelServer,
  answer: JsonAnswer,
  limits: RequestLimits,
): Promise<Finding> {
  const explained = explainAnswer(server, answer);
  const version = RECORDS[server.provider].versionPath;
  const address = baseAddressOf(server);
  if (explained.finding !== 'wrong_address' || answer.state !== 'answered') return explained;
  if (address.endsWith(version)) return explained;
  const baseUrl = address + version;
  const listing = await listServerModels({ ...server, baseUrl }, limits, { brief: true });
  const isThere =
    listing.state === 'listed' ||
    ['key_needed', 'wrong_key'].includes(explainAnswer({ ...server, baseUrl }, listing.answer).finding);
  if (!isThere) return explained;
  return { finding: 'wrong_address', message: `The address needs ${version} at its end: ${baseUrl}.` };
}
