import { t } from '@lingui/core/macro';
import type { SessionDelivery } from '../../../api/schema.js';

/** What to show in place of the attempts while there are none. */
export function noAttemptText({ status }: Pick<SessionDelivery, 'status'>): string {
  return status === 'failed'
    ? t`The endpoint was disabled before the first attempt.`
    : t`No attempt has ended yet.`;
}
