import { Type } from 'typebox';
import { defineTool } from './tool.ts';

export const formatJsonTool = defineTool({
  name: 'format_json',
  description: 'Lays JSON out.',
  input: Type.Object({ text: Type.String() }),
  output: Type.Object({ text: Type.String() }),
  run({ text }) {
    return { text: JSON.stringify(JSON.parse(text), null, 2) };
  },
});
