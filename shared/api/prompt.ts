import { Type, type Static } from 'typebox';
import { MAX_CONTENT_CHARACTERS, MAX_PROMPT_NAME_CHARACTERS } from '../limits.ts';
import { list, object, text, Timestamp, WorkspaceId } from './common.ts';

const EXAMPLE = 'Explain {{topic}} to {{reader}} in five sentences.';

export const Prompt = object('A saved text to use in messages.', {
  id: text('Unique id.', '01jd3v6k2q8x'),
  name: text('Its name.', 'Explain'),
  text: text(
    'The text to insert into a message. `{{topic}}` is a placeholder, filled in at each use.',
    EXAMPLE,
  ),
  placeholders: list(Type.String(), 'Names of the placeholders in its text, each once, in order.', {
    examples: [['topic', 'reader']],
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Prompt = Static<typeof Prompt>;

const Name = text('Its name. Surrounding white space is removed.', {
  examples: ['Explain'],
  pattern: '\\S',
  maxLength: MAX_PROMPT_NAME_CHARACTERS,
  expected: `a name of 1 to ${MAX_PROMPT_NAME_CHARACTERS} characters`,
});
const Text = text('The text to insert into a message. `{{topic}}` is a placeholder.', {
  examples: [EXAMPLE],
  pattern: '\\S',
  maxLength: MAX_CONTENT_CHARACTERS,
});

/** Body of `POST /api/v1/prompts`. */
export const CreatePromptBody = Type.Object({
  name: Name,
  text: Text,
  workspaceId: Type.Optional(WorkspaceId),
});
export type CreatePromptBody = Static<typeof CreatePromptBody>;

/** Body of `PATCH /api/v1/prompts/:promptId`. Absent fields stay as they are. */
export const UpdatePromptBody = Type.Partial(CreatePromptBody);
export type UpdatePromptBody = Static<typeof UpdatePromptBody>;

/** Answer of every endpoint about one prompt. */
export const PromptAnswer = Type.Object({ prompt: Prompt });
export type PromptAnswer = Static<typeof PromptAnswer>;

/** Answer of `GET /api/v1/prompts`. */
export const PromptList = Type.Object({ prompts: list(Prompt, 'By name.') });
export type PromptList = Static<typeof PromptList>;
