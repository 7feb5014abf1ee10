import { t } from '@lingui/core/macro';
import type { SessionSource } from '../../api/schema.js';
import { formatDateTime } from '../../lib/format.js';

/** The file name. Photos without one get the time of the upload, which distinguishes them. */
export function photoName({ name, createdAt }: SessionSource): string {
  return name ?? t`Photo of ${formatDateTime(createdAt)}`;
}
