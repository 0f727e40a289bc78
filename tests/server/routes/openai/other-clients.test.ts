/** Other clients of the format against the service, unchanged but for address and key. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { AIMessageChunk, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool as langChainTool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, jsonSchema, streamText, tool } from 'ai';
import { beforeEach, describe, expect, it } from 'vitest';
import { collect } from '../../../support/collect.ts';
import { CONNECTED, startConnectedService } from '../../../support/connected-service.ts';
import { PLAIN_TEXT } from '../../../support/model-servers/scenarios.ts';

const service = await startConnectedService();

beforeEach(() => service.model.play('plain'));

const SUM = 'What is 12.5% of 1840?';
const SCHEMA = {
  type: 'object' as const,
  properties: { expression: { type: 'string' as const } },
  required: ['expression'],
};

describe('the AI SDK’s client of servers that are compatible', () => {
  const model = (name: string) =>
    createOpenAICompatible({
      name: 'parley',
      baseURL: service.baseURL,
      apiKey: service.apiKey,
      includeUsage: true,
    })(name);

  it('generates and streams', async () => {
    expect((await generateText({ model: model('offline-assistant'), prompt: SUM })).text).toContain('230');
    const result = streamText({ model: model(CONNECTED), prompt: 'Hello', instructions: 'Be brief.' });
    expect((await collect(result.textStream)).join('')).toBe(PLAIN_TEXT);
    expect(await result.usage).toMatchObject({ inputTokens: 11, outputTokens: 7 });
    service.model.play('reasoning');
    const thought = await generateText({ model: model(CONNECTED), prompt: 'Hello' });
    expect(thought.finalStep.reasoningText).toBe('They greet me, so I greet them.');
  });

  it('calls its own tools in a loop', async () => {
    service.model.play('tool-loop');
    const result = await generateText({
      model: model(CONNECTED),
      prompt: 'Add up',
      tools: {
        calculate: tool({
          inputSchema: jsonSchema<{ expression: string }>(SCHEMA),
          execute: ({ expression }) => `${expression} is 42`,
        }),
      },
      stopWhen: ({ steps }) => steps.length === 3,
    });
    expect(result.text).toBe('The tool says 6*7 is 42');
  });

  it('tells what goes wrong', async () => {
    const failing = generateText({ model: model('nobody'), prompt: 'Hi', maxRetries: 0 });
    await expect(failing).rejects.toMatchObject({
      statusCode: 404,
      message: expect.stringContaining('GET /v1/models') as string,
    });
    service.model.play('slow-fault');
    const parts = await collect(
      streamText({ model: model(CONNECTED), prompt: 'Hi', onError: () => undefined }).stream,
    );
    expect(parts.map(({ type }) => type)).toContain('error');
  });
});

describe('LangChain’s ChatOpenAI', () => {
  const model = (name: string): ChatOpenAI =>
    new ChatOpenAI({ model: name, apiKey: service.apiKey, configuration: { baseURL: service.baseURL } });

  it('invokes and streams', async () => {
    expect((await model('agent:orchestrator').invoke(SUM)).text).toContain('230');
    const answer = await model(CONNECTED).invoke([
      ['system', 'Be brief.'],
      ['human', 'Hello'],
    ]);
    expect(answer).toMatchObject({ text: PLAIN_TEXT, usage_metadata: { total_tokens: 18 } });
    const chunks = await collect(await model(CONNECTED).stream('Hello'));
    expect(chunks.map(({ text }) => text).join('')).toBe(PLAIN_TEXT);
  });

  it('binds tools, whole and streamed', async () => {
    service.model.play('tool-loop');
    const calculate = langChainTool(() => '42', {
      name: 'calculate',
      description: 'Works out a sum.',
      schema: SCHEMA,
    });
    const bound = model(CONNECTED).bindTools([calculate]);
    const question = new HumanMessage('Add up');
    const answer = await bound.invoke([question]);
    expect(answer.tool_calls).toMatchObject([{ name: 'calculate', args: { expression: '6*7' } }]);
    const chunks = await collect(await bound.stream([question]));
    const whole = chunks.reduce((one: AIMessageChunk, other) => one.concat(other), new AIMessageChunk(''));
    expect(whole.tool_calls).toMatchObject([{ name: 'calculate', args: { expression: '6*7' } }]);
    const id = answer.tool_calls?.[0]?.id ?? '';
    const last = await bound.invoke([question, answer, new ToolMessage({ content: '42', tool_call_id: id })]);
    expect(last.text).toBe('The tool says 42');
  });
});
