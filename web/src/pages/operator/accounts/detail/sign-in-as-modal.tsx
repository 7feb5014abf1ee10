import { t } from '@lingui/core/macro';
import { useSignInAs } from '../../../../api/operator/accounts.js';
import type { ConsoleAccountDetail } from '../../../../api/operator/schema.js';
import { ReasonModal } from './reason-modal.js';

export interface SignInAsModalProps {
  readonly account: ConsoleAccountDetail;
  readonly onClose: () => void;
}

/** Asks for a reason, which the customer can read in the activity log of the account. */
export function SignInAsModal({ account, onClose }: SignInAsModalProps) {
  const signIn = useSignInAs(account.id);
  return (
    <ReasonModal
      title={t`Sign in as ${account.name}`}
      text={t`You see this customer's dashboard, including photos, for up to an hour. You can't change anything. The start and the end are recorded in the account's activity.`}
      description={t`The customer can see it in the account's activity.`}
      action={t`Sign in`}
      isBusy={signIn.isPending || signIn.isSuccess}
      error={signIn.error}
      onConfirm={(reason) => signIn.mutate({ reason })}
      onClose={onClose}
    />
  );
}
