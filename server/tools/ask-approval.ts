/** The tool with which a rehearsal asks for approval (`::approve`). It does nothing else. */
import type { Tool } from './tool.ts';

/** Its name. No other model gets it. */
export const ASK_APPROVAL = 'ask_approval';

/** The tool. */
export const askApprovalTool: Tool = {
  name: ASK_APPROVAL,
  description: 'Asks the person for approval.',
  input: {
    type: 'object',
    properties: { for: { type: 'string' } },
    required: ['for'],
    additionalProperties: false,
  },
  agents: 'all',
  runs: 'service',
  asks: 'always',
  changes: false,
  describe: ({ for: what }) => Promise.resolve(typeof what === 'string' ? { summary: what } : null),
  run: () => Promise.resolve({ approved: true }),
};
