import type { ListedModel } from '../store/connection-repository.ts';
import { ask, type AskLimits } from './ask.ts';
import { headersFor } from './formats.ts';
import { countOf, fieldsOf, listOf, textOf } from './json.ts';
import type { Server } from './list-models.ts';
import { addressOf } from './providers.ts';

/** Ollama tells of each model by itself what it can do; of so many it is asked, so many at once. */
const MAX_DETAILED = 200;
const AT_ONCE = 4;

/**
 * An Ollama reads only some 4,000 tokens unless told otherwise, and leaves out the rest without a word; what a model could
 * read (often 128,000) takes many gigabytes of memory. So each turn asks for this many, or for what the model was made for
 * when that is less, and Parley reckons with the same. Whoever wants another number makes the model with its own `num_ctx`.
 */
export const OLLAMA_CONTEXT_TOKENS = 16_384;

/**
 * Adds how much each model of an Ollama reads, and leaves out those that it says are not for chats. What isn't told in
 * time stays unknown.
 */
export async function addOllamaDetails(
  server: Server,
  models: ListedModel[],
  limits: AskLimits,
): Promise<ListedModel[]> {
  const deadline = performance.now() + limits.wholeMs;
  const detailed = new Map<ListedModel, ListedModel | null>();
  const waiting = models.slice(0, MAX_DETAILED);
  async function askInTurn(): Promise<void> {
    for (let model = waiting.shift(); model !== undefined; model = waiting.shift()) {
      const wholeMs = deadline - performance.now();
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
    headers: headersFor(server),
    json: { model: model.id },
    limits,
  });
  if (answer.state !== 'answered' || answer.status !== 200) return model;
  const { capabilities, parameters, model_info: info } = fieldsOf(answer.json);
  if (listOf(capabilities)?.includes('completion') === false) return null;
  const facts = fieldsOf(info);
  const architecture = textOf(facts['general.architecture']);
  const longest = countOf(facts[`${architecture ?? ''}.context_length`]);
  const usual = longest === null ? null : Math.min(longest, OLLAMA_CONTEXT_TOKENS);
  return { ...model, contextTokens: countOf(setContext(parameters)) ?? usual };
}

/** What the model was made to read at most, which can be less than it could. */
function setContext(parameters: unknown): number | null {
  const [, count] = /^num_ctx\s+(\d+)\s*$/m.exec(textOf(parameters) ?? '') ?? [];
  return count === undefined ? null : Number(count);
}
