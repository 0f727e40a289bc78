/** A tool with which the model reads on where a tool output or file text was cut; see fit-request.ts. */
import type { ToolSet } from 'ai';
import { checkedSchema } from './tool-kit.ts';

/** Its name. It is offered only while something is cut. */
export const READ_MORE = 'read_more';

/** A piece takes about a fifth of the model's context. */
const PIECE_CHARACTERS_A_TOKEN = 0.6;

interface Place {
  output: number;
  from: number;
}

const PLACE = checkedSchema<Place>({
  type: 'object',
  properties: { output: { type: 'integer', minimum: 1 }, from: { type: 'integer', minimum: 0 } },
  required: ['output', 'from'],
});

/** Dependencies. */
export interface ReadMoreDeps {
  /** Tool outputs and file texts of the last request, uncut. */
  outputs: () => readonly string[];
  /** Tokens that the model reads. */
  limit: () => number;
}

/** The tool that returns the next piece of an output. */
export function readMoreTool({ outputs, limit }: ReadMoreDeps): ToolSet {
  return {
    [READ_MORE]: {
      description:
        'Gives the next piece of a tool’s output, or of a file, that was cut. The note where it was cut says with what.',
      inputSchema: PLACE,
      execute: ({ output, from }: Place) => {
        const text = outputs()[output - 1];
        if (text === undefined) throw new Error(`There is no output ${output} here.`);
        if (from >= text.length) throw new Error(`Output ${output} has ${text.length} characters only.`);
        const to = Math.min(text.length, from + Math.floor(limit() * PIECE_CHARACTERS_A_TOKEN));
        return { output, from, to, of: text.length, text: text.slice(from, to).toWellFormed() };
      },
    },
  };
}
