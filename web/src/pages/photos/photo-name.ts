import type { Source } from 'image-enhancement-client';
import { formatDateTime } from '../../lib/format.js';

/** Photos have no names; the moment of the upload tells them apart. */
export function photoName({ createdAt }: Source): string {
  return `photo of ${formatDateTime(createdAt)}`;
}
