import { t } from '@lingui/core/macro';
import type { SessionSource } from '../../api/schema.js';
import { formatDateTime } from '../../lib/format.js';

/** The file name; the moment of the upload tells photos without one apart. */
export function photoName({ name, createdAt }: SessionSource): string {
  return name ?? t`Photo of ${formatDateTime(createdAt)}`;
}
