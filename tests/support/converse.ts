import type {
  JSONValue,
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider';
import { Value } from 'typebox/value';
import type { MessageMode } from '../../shared/api/message.ts';
import { OFFLINE_MODEL_NAME } from '../../shared/models.ts';
import { markFile } from '../../server/models/file-parts.ts';
import { createModel } from '../../server/models/index.ts';
import type { StreamingModel } from '../../server/models/model.ts';
import { ALL_TOOLS } from '../../server/tools/index.ts';
import { ToolError, type ToolContext } from '../../server/tools/tool.ts';
import { toolContext } from './tool-context.ts';

/** A reply as the loop got it. */
export interface TestReply {
  text: string;
  /** Names of the tools called, in order. */
  tools: string[];
  outputs: unknown[];
}

/** A conversation with the offline assistant, as an agent runtime would lead it, with the real tools. */
export interface TestConversation {
  /** `files`: the attached files, by name; null is a picture, which it can't look at. */
  say(message: string, mode?: MessageMode, files?: Record<string, string | null>): Promise<TestReply>;
}

/** Starts one. A tool call that does not fit its schema, and one round after another, throw. */
export function startConversation(parts: Partial<ToolContext> = {}): TestConversation {
  const context = toolContext(parts);
  const prompt: LanguageModelV4Prompt = [{ role: 'system', content: 'Be exact. What is 1 + 1?' }];
  return {
    async say(message, mode = 'agent', files = {}) {
      const model = createModel(OFFLINE_MODEL_NAME, context);
      if (!model) throw new Error('There is no offline model.');
      prompt.push({
        role: 'user',
        content: [
          ...Object.entries(files).map(filePart),
          ...(message === '' ? [] : [{ type: 'text' as const, text: message }]),
        ],
      });
      const reply: TestReply = { text: '', tools: [], outputs: [] };
      for (let round = 0; ; round += 1) {
        const { text, calls } = await stream(model, prompt, mode);
        reply.text += text;
        if (calls.length === 0) break;
        if (round > MAX_ROUNDS) throw new Error('The model calls tools without end.');
        prompt.push({
          role: 'assistant',
          content: calls.map((call) => ({ type: 'tool-call', ...call })),
        });
        for (const { toolCallId, toolName, input } of calls) {
          const output = await runTool(toolName, input, context);
          reply.tools.push(toolName);
          reply.outputs.push(output.type === 'json' ? output.value : output);
          prompt.push({ role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] });
        }
      }
      prompt.push({ role: 'assistant', content: [{ type: 'text', text: reply.text }] });
      return reply;
    },
  };
}

const MAX_ROUNDS = 4;

interface Call {
  toolCallId: string;
  toolName: string;
  input: Record<string, unknown>;
}

const OFFERED: LanguageModelV4FunctionTool[] = ALL_TOOLS.map(({ name, description, input }) => ({
  type: 'function',
  name,
  description,
  inputSchema: input,
}));

async function runTool(
  name: string,
  input: Record<string, unknown>,
  context: ToolContext,
): Promise<LanguageModelV4ToolResultOutput> {
  const tool = ALL_TOOLS.find((one) => one.name === name);
  if (!tool) throw new Error(`There is no tool ${name}.`);
  if (!Value.Check(tool.input, input)) throw new Error(`${name} does not take ${JSON.stringify(input)}`);
  try {
    const output: unknown = await tool.run(input, context);
    return { type: 'json', value: JSON.parse(JSON.stringify(output)) as JSONValue };
  } catch (error) {
    if (error instanceof ToolError) return { type: 'error-text', value: error.message };
    throw error;
  }
}

async function stream(model: StreamingModel, prompt: LanguageModelV4Prompt, mode: MessageMode) {
  const tools = mode === 'chat' ? [] : OFFERED;
  const { stream: parts } = await model.doStream({ prompt: structuredClone(prompt), tools });
  let text = '';
  const calls: Call[] = [];
  let finishReason = '';
  for await (const part of parts) {
    if (part.type === 'text-delta') text += part.delta;
    if (part.type === 'tool-call')
      calls.push({
        toolCallId: part.toolCallId,
        toolName: part.toolName,
        input: JSON.parse(part.input) as Record<string, unknown>,
      });
    if (part.type === 'finish') finishReason = part.finishReason.unified;
  }
  if (finishReason !== (calls.length > 0 ? 'tool-calls' : 'stop'))
    throw new Error(`Finished by ${finishReason}.`);
  return { text, calls };
}

function filePart([name, text]: [string, string | null]): LanguageModelV4TextPart {
  const mark = { name, mediaType: text === null ? 'image/png' : 'text/plain', isCut: false };
  return text === null
    ? { type: 'text', text: '[…]', providerOptions: markFile({ ...mark, reason: 'is a picture' }) }
    : { type: 'text', text, providerOptions: markFile({ ...mark, reason: null }) };
}
