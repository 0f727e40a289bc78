import type { Attachment } from '../../shared/api/attachment.ts';

/** What a person is writing: text, and attached files, which are uploaded already. */
export interface Writing {
  text: string;
  files: readonly Attachment[];
}

export const NOTHING_WRITTEN: Writing = { text: '', files: [] };

/** Whether there is nothing to send or keep. */
export const isBlank = ({ text, files }: Writing): boolean => text === '' && files.length === 0;

/** Joins several, each text a paragraph. */
export const joinWritings = (writings: readonly Writing[]): Writing => ({
  text: writings.flatMap(({ text }) => (text.trim() === '' ? [] : [text])).join('\n\n'),
  files: writings.flatMap(({ files }) => files),
});

/** Whether both have the same files in the same order. */
export const haveSameFiles = (one: readonly Attachment[], other: readonly Attachment[]): boolean =>
  one.length === other.length && one.every(({ id }, index) => id === other[index]?.id);

/** Files in the form that requests use. */
export const fileIds = (files: readonly Attachment[]): { fileId: string }[] =>
  files.map(({ id }) => ({ fileId: id }));
