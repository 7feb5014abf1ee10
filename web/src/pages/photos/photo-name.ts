import type { Source } from '../../api/source.js';
import { formatDateTime } from '../../lib/format.js';

/** Photos have no names; the moment of the upload tells them apart. */
export function photoName({ createdAt }: Source): string {
  return `photo of ${formatDateTime(createdAt)}`;
}
