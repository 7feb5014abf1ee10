/** Thumbnails are for lists; hundreds of them take as much space as one result. */
export const THUMBNAIL_SIDE_PIXELS = 320;

/** The key of the thumbnail of a job's result, or of a source. It is deleted with that and not counted. */
export function thumbnailKey(id: string): string {
  return `thumbnails/${id}.webp`;
}

/** The name of the thumbnail of a job's result below `/files/`. */
export function thumbnailName(jobId: string): string {
  return `thumb_${jobId}.webp`;
}
