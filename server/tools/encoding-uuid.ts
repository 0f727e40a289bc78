import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { defineTool } from './tool.ts';

/** Most UUIDs made in one go. */
export const MAX_UUIDS = 100;

/** Makes random UUIDs (version 4). */
export const generateUuidTool = defineTool({
  name: 'generate_uuid',
  description: 'Makes one or more random UUIDs (version 4, also called GUIDs).',
  input: Type.Object({
    count: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_UUIDS, description: 'How many. Default 1.' }),
    ),
  }),
  run({ count = 1 }) {
    return { items: Array.from({ length: count }, () => randomUUID()) };
  },
});
