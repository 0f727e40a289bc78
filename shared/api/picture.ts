import { Type } from 'typebox';

/** Longest address of a picture or page, in characters. */
export const MAX_ADDRESS_CHARACTERS = 2_000;

/** Query of `GET /api/v1/pictures`. */
export const PictureQuery = Type.Object({
  url: Type.String({
    minLength: 1,
    maxLength: MAX_ADDRESS_CHARACTERS,
    description: 'The full address of the picture, `https` or `http`.',
    expected: `the full address of a picture, up to ${MAX_ADDRESS_CHARACTERS} characters`,
    examples: ['https://example.com/cat.png'],
  }),
});
