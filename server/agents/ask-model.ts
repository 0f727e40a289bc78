/** Small requests to a chat's own model beside its turns: no tools, no history, nothing shown while it works. */
import { refuseCalls } from './call-tool.ts';
import { bareAgent, type AgentRuntime, type TurnRequest } from './turn.ts';
import type { ModelAccess } from '../connections/model-access.ts';

/** A request beside a chat's turns. */
export interface AsideRequest {
  chat: { id: string; workspaceId: string; model: string };
  access: ModelAccess;
  /** What it is asked for, in one word, and how it is to answer. */
  name: string;
  instructions: string;
  text: string;
  now: string;
  timeZone: string;
  signal: AbortSignal;
}

/** The model's answer, trimmed; null: it gave none. Rejects when the signal fires. */
export async function askModel(
  runtime: AgentRuntime,
  { chat, access, name, instructions, text, now, timeZone, signal }: AsideRequest,
): Promise<string | null> {
  signal.throwIfAborted();
  const request: TurnRequest = {
    chatId: chat.id,
    workspaceId: chat.workspaceId,
    agent: bareAgent(name, instructions),
    mode: 'chat',
    isAside: true,
    model: chat.model,
    access,
    messages: [{ role: 'user', content: text, steps: [] }],
    now,
    timeZone,
  };
  const result = await runtime.run(request, { callTool: refuseCalls, signal, onUpdate: () => undefined });
  if (result.outcome === 'failed' || result.stopReason === 'content_filter') return null;
  const answer = result.content.trim();
  return answer === '' ? null : answer;
}
