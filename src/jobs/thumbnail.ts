/** Thumbnails are for lists; small enough that hundreds fit where one result does. */
export const THUMBNAIL_SIDE_PIXELS = 320;

/** Where the thumbnail of a job's result lies. It lives and dies with the result, uncounted. */
export function thumbnailKey(jobId: string): string {
  return `thumbnails/${jobId}.webp`;
}

/** The name of that file below `/files/`. */
export function thumbnailName(jobId: string): string {
  return `thumb_${jobId}.webp`;
}
