import { t } from '@lingui/core/macro';
import { ApiError } from 'image-enhancement-client';
import { isRefused } from '../../api/problem.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { Notice } from '../../components/notices/notice.js';

export interface InvitationFaultProps {
  readonly error: Error;
  readonly onRetry?: () => void;
}

/** Why an invitation can't be shown or accepted. The general texts of these codes are about the reader's own account. */
export function InvitationFault({ error, onRetry }: InvitationFaultProps) {
  const code = error instanceof ApiError ? error.code : undefined;
  if (code === 'not_found')
    return (
      <Notice tone="warn" title={t`This link doesn't work`}>
        {t`It is incomplete, or the organization was deleted.`}
      </Notice>
    );
  if (code === 'account_suspended')
    return (
      <Notice tone="warn" title={t`This organization is suspended`}>
        {t`Open the link again when the operator of this service has resumed it.`}
      </Notice>
    );
  return <ErrorState error={error} onRetry={isRefused(error) ? undefined : onRetry} />;
}
