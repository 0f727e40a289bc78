import { OFFLINE_MODEL_NAME, REHEARSAL_MODEL_NAME } from '../../shared/models.ts';
import type { OutsideTool, OutsideToolInfo, OutsideToolSource } from '../tools/host-tool.ts';
import { askApprovalTool } from '../tools/ask-approval.ts';

/** For which turn tools are gathered. */
export interface GatherRequest {
  model: string;
  agentTypes: readonly string[];
}

/** No turn takes along more; each costs the model tokens. */
const MAX_TOOLS = 200;

/** The outside tools that a turn takes along. What two sources call the same is the first one's. */
export async function gatherTools(
  sources: readonly OutsideToolSource[],
  { model, agentTypes }: GatherRequest,
  onFault: (error: unknown) => void,
): Promise<OutsideTool[]> {
  const asked = sources.filter(({ isForOffline }) => isForOffline || model !== OFFLINE_MODEL_NAME);
  const lists = await Promise.all(
    asked.map(async (source) => {
      try {
        return await source.list({ agentTypes });
      } catch (error) {
        onFault(error);
        return [];
      }
    }),
  );
  const tools = new Map<string, OutsideTool>();
  if (model === REHEARSAL_MODEL_NAME) tools.set(askApprovalTool.name, askApprovalTool);
  for (const tool of lists.flat()) {
    if (tools.size < MAX_TOOLS && !tools.has(tool.name)) tools.set(tool.name, tool);
  }
  return [...tools.values()];
}

/** What a turn's thread needs to know of them. */
export const toInfo = ({ name, description, inputSchema, agents }: OutsideTool): OutsideToolInfo => ({
  name,
  description,
  inputSchema,
  ...(agents !== undefined && { agents }),
});
