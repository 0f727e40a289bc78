/** The media types of pictures that the window draws and models get: one of another type may hold scripts. */
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];

export const isPictureType = (mediaType: string): mediaType is PictureType =>
  PICTURE_TYPES.some((type) => type === mediaType);
