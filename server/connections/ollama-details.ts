import type { ListedModel } from '../store/connection-repository.ts';
import { ask, type AskLimits } from './ask.ts';
import { FORMATS } from './formats.ts';
import { countOf, fieldsOf, listOf, textOf } from './json.ts';
import type { Server } from './list-models.ts';
import { addressOf } from './providers.ts';

/** Ollama tells of each model by itself what it can do; of so many it is asked, so many at once. */
const MAX_DETAILED = 200;
const AT_ONCE = 4;

/**
 * Adds how much each model of an Ollama reads, and leaves out those that it says are not for chats. What isn't told in
 * time stays unknown.
 */
export async function addOllamaDetails(
  server: Server,
  models: ListedModel[],
  limits: AskLimits,
): Promise<ListedModel[]> {
  const deadline = Date.now() + limits.wholeMs;
  const detailed = new Map<ListedModel, ListedModel | null>();
  const waiting = models.slice(0, MAX_DETAILED);
  async function askInTurn(): Promise<void> {
    for (let model = waiting.shift(); model !== undefined; model = waiting.shift()) {
      const wholeMs = deadline - Date.now();
      if (wholeMs <= 0) return;
      detailed.set(model, await detail(server, model, { ...limits, wholeMs }));
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, askInTurn));
  return models.flatMap((model) => {
    const told = detailed.get(model);
    return told === null ? [] : [told ?? model];
  });
}

async function detail(server: Server, model: ListedModel, limits: AskLimits): Promise<ListedModel | null> {
  const answer = await ask({
    url: `${addressOf(server)}/api/show`,
    headers: FORMATS.ollama.headers(server.apiKey),
    json: { model: model.id },
    limits,
  });
  if (answer.state !== 'answered' || answer.status !== 200) return model;
  const { capabilities, parameters, model_info: info } = fieldsOf(answer.json);
  if (listOf(capabilities)?.includes('completion') === false) return null;
  const facts = fieldsOf(info);
  const architecture = textOf(facts['general.architecture']);
  return {
    ...model,
    contextTokens: countOf(setContext(parameters), facts[`${architecture ?? ''}.context_length`]),
  };
}

/** What the model was made to read at most, which can be less than it could. */
function setContext(parameters: unknown): number | null {
  const [, count] = /^num_ctx\s+(\d+)\s*$/m.exec(textOf(parameters) ?? '') ?? [];
  return count === undefined ? null : Number(count);
}
