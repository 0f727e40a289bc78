/** The tool by which a rehearsal asks for approval: `::approve`. Nothing comes of it but the answer. */
import type { OutsideTool } from './host-tool.ts';

/** Its name. No other model gets it. */
export const ASK_APPROVAL = 'ask_approval';

/** The tool. */
export const askApprovalTool: OutsideTool = {
  name: ASK_APPROVAL,
  description: 'Asks the person for approval.',
  inputSchema: {
    type: 'object',
    properties: { for: { type: 'string' } },
    required: ['for'],
    additionalProperties: false,
  },
  agents: 'all',
  asks: true,
  changes: false,
  describe: ({ for: what }) => Promise.resolve(typeof what === 'string' ? { summary: what } : null),
  run: () => Promise.resolve({ approved: true }),
};
