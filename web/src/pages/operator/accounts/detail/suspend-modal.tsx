import { plural, t } from '@lingui/core/macro';
import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useSuspend } from '../../../../api/operator/accounts.js';
import type { ConsoleAccountDetail } from '../../../../api/operator/schema.js';
import { ReasonModal } from './reason-modal.js';

export interface SuspendModalProps {
  readonly account: ConsoleAccountDetail;
  readonly onClose: () => void;
}

/** Suspends the account with a reason, which is shown to the customer. */
export function SuspendModal({ account, onClose }: SuspendModalProps) {
  const suspend = useSuspend(account.id);
  const [withOrganizations, setWithOrganizations] = useState(false);
  const active = account.organizations.filter(({ status }) => status === 'active');
  return (
    <ReasonModal
      title={t`Suspend ${account.name}?`}
      text={t`Requests with its API keys are refused immediately, and its user is signed out. Running jobs still finish.`}
      description={t`The customer sees it in every refused request and at sign-in.`}
      action={t`Suspend account`}
      isDangerous
      isBusy={suspend.isPending}
      error={suspend.error}
      onConfirm={(reason) => suspend.mutate({ reason, withOrganizations }, { onSuccess: onClose })}
      onClose={onClose}
    >
      {active.length > 0 && (
        <Checkbox
          label={plural(active.length, {
            one: 'Also suspend the organization that this user owns',
            other: 'Also suspend the # organizations that this user owns',
          })}
          description={active.map(({ name }) => name).join(', ')}
          checked={withOrganizations}
          onChange={(event) => setWithOrganizations(event.currentTarget.checked)}
        />
      )}
    </ReasonModal>
  );
}
