import { Type, type Static } from 'typebox';
import { MAX_CONTENT_CHARACTERS } from '../limits.ts';
import { list, object, text, time, WorkspaceId } from './common.ts';

export const Draft = object('The unsent text of one chat.', {
  chatKey: text("The chat's id, or `new` for a chat that doesn't exist yet.", 'new'),
  text: text('The unsent text.', 'What about'),
  updatedAt: time("When it was written, by the window's clock. The newer of two drafts wins."),
});
export type Draft = Static<typeof Draft>;

/** Answer of `GET /api/v1/drafts`: all drafts of the workspace. */
export const DraftList = Type.Object({ drafts: list(Draft, 'In no order.') });

/** Body of `PUT /api/v1/drafts/:chatKey`; an empty text deletes the draft. A draft older than the stored one is ignored. */
export const DraftBody = Type.Object({
  text: text('The unsent text; empty: delete the draft.', {
    examples: ['What about'],
    maxLength: MAX_CONTENT_CHARACTERS * 2,
  }),
  updatedAt: text('When it was written.', {
    examples: ['2026-11-20T12:45:00.000Z'],
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
    expected: 'an ISO 8601 UTC time with milliseconds',
  }),
  workspaceId: Type.Optional(WorkspaceId),
});

/** Answer of `PUT /api/v1/drafts/:chatKey`: the draft that is now stored. */
export const DraftAnswer = Type.Object({ draft: Draft });
