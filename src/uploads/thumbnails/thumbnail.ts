/** Thumbnails are for lists; small enough that hundreds fit where one result does. */
export const THUMBNAIL_SIDE_PIXELS = 320;

/** Where the thumbnail of a job's result, or of a source, lies. It lives and dies with that, uncounted. */
export function thumbnailKey(id: string): string {
  return `thumbnails/${id}.webp`;
}

/** The name of the thumbnail of a job's result below `/files/`. */
export function thumbnailName(jobId: string): string {
  return `thumb_${jobId}.webp`;
}
