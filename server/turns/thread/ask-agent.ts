/**
 * Lets the default agent hand a sub-task to another agent, as a tool. That agent answers with its own instructions,
 * tools and step limit, and the same model. It can't ask others, since only the default agent may. Its intermediate
 * work isn't shown; its text is the output.
 */
import { Type, type Static } from 'typebox';
import type { Step, StepApproval, Usage } from '../../../shared/api/message.ts';
import { MAX_CONTENT_CHARACTERS, MAX_STEP_FILES } from '../../../shared/limits.ts';
import { boundOutput } from '../../tools/bound-output.ts';
import type { GrowingReply } from './reply.ts';
import { ASK_AGENT } from '../../tools/tool-budget.ts';
import type { CallOutcome } from '../../agents/call-tool.ts';
import { offerOf, type ModelTool, type ThreadPorts } from './tool-kit.ts';
import type { TurnRequest, TurnResult } from '../../agents/turn.ts';

/** How many times one turn may ask. */
const MAX_ASKED = 4;

const SUB_TASK = Type.Object(
  { agentType: Type.String(), task: Type.String() },
  { additionalProperties: false },
);

type SubTask = Static<typeof SUB_TASK>;

/** Dependencies. */
export interface AskDeps {
  request: TurnRequest;
  ports: ThreadPorts;
  /** Shows the approvals that the asked agent needs. */
  reply: Pick<GrowingReply, 'setApproval'>;
  run: (request: TurnRequest, ports: ThreadPorts) => Promise<TurnResult>;
  /** Called with the tokens that an asked agent used. */
  onUsage: (usage: Usage) => void;
}

/** The tool `ask_agent` if the turn may ask; otherwise none. */
export function askAgentTool({ request, ports, reply, run, onUsage }: AskDeps): ModelTool[] {
  // The sub-task gets neither the conversation nor its summary.
  const own = { ...request };
  delete own.summary;
  delete own.helpers;
  const { helpers: agents = [], mode } = request;
  if (agents.length === 0 || mode !== 'agent') return [];
  let calls = 0;

  async function ask({ agentType, task }: SubTask, stepId: string): Promise<CallOutcome> {
    const helper = agents.find(({ name }) => name === agentType);
    if (helper === undefined) {
      const known = agents.map(({ name }) => name).join(', ');
      throw new Error(`There is no agent “${agentType}” to ask. There are: ${known}.`);
    }
    if (task.trim() === '' || task.length > MAX_CONTENT_CHARACTERS) {
      throw new Error(`“task” must be words, at most ${MAX_CONTENT_CHARACTERS} characters of them.`);
    }
    calls += 1;
    if (calls > MAX_ASKED) throw new Error(`At most ${MAX_ASKED} sub-tasks can be handed on in one reply.`);
    const result = await run(
      {
        ...own,
        agent: helper,
        isAside: true,
        messages: [{ role: 'user', content: task, steps: [] }],
        // A rehearsal's sub-task brings its own script.
        ...(request.rehearsal && { rehearsal: { opening: task, turn: 0 } }),
      },
      {
        ...ports,
        // Only its progress and its approvals are shown, so that the turn doesn't seem stuck.
        onUpdate: ({ steps }) => {
          if (steps !== undefined) reply.setApproval(stepId, firstApproval(helper.title, steps));
          ports.onUpdate({ text: '' });
        },
      },
    );
    if (result.usage !== undefined) onUsage(result.usage);
    const given = result.steps.flatMap((step) => step.files ?? []).slice(0, MAX_STEP_FILES);
    const files = given.length > 0 && { files: given };
    const failed = (why: string): CallOutcome => ({
      error: `“${helper.title}” could not do this: ${why}`.trim(),
      ...files,
    });
    if (result.outcome === 'failed') return failed(result.error.message);
    if (result.stopReason === 'content_filter') return failed(`its model declined. ${result.content}`);
    return { output: boundOutput({ agentType, text: result.content }), ...files };
  }

  const description = [
    'Hands a sub-task to another agent, which sees nothing of this conversation: say in `task` all that it needs to ' +
      'know. Use it when a part of the work fits one of them better than you. They are:',
    ...agents.map(({ name, title, description }) => `- ${name}: ${title}. ${description}`),
  ].join('\n');
  return [
    {
      ...offerOf({ name: ASK_AGENT, description, input: SUB_TASK }),
      run: (input, stepId) => ask(input as SubTask, stepId),
    },
  ];
}

/** The first approval that an asked agent needs, worded to say which agent wants it; null: none. */
function firstApproval(title: string, steps: readonly Step[]): StepApproval | null {
  const step = steps.find(({ status }) => status === 'awaiting_approval');
  if (step?.approval === undefined) return null;
  const { approval, tool, input } = step;
  const what = approval.summary === undefined ? '.' : `: ${approval.summary}`;
  return { ...approval, summary: `${title} wants to use ${tool}${what}`, call: { tool, input } };
}
