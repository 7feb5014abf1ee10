import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useUnlinkIdentity } from '../../../../api/operator/accounts.js';
import type { ConsoleAccountDetail } from '../../../../api/operator/schema.js';
import { ConfirmModal } from '../../../../components/dialogs/confirm-modal.js';
import { formatDay } from '../../../../lib/format.js';
import { AccountAction } from './account-action.js';

export interface IdentityActionsProps {
  readonly account: ConsoleAccountDetail;
  /** Whether the operator may unlink them. */
  readonly mayUnlink: boolean;
}

/** The users of the OpenID provider who sign in to the account. */
export function IdentityActions({ account, mayUnlink }: IdentityActionsProps) {
  const [asked, setAsked] = useState<string | null>(null);
  const unlink = useUnlinkIdentity(account.id);
  const close = () => setAsked(null);
  const { name, identities } = account;
  return (
    <>
      {identities.map(({ id, issuer, subject, createdAt }) => (
        <AccountAction
          key={id}
          title={t`Sign-in provider ${new URL(issuer).host}`}
          text={t`${subject}, linked ${formatDay(createdAt)}`}
        >
          {mayUnlink && (
            <Button variant="default" onClick={() => setAsked(id)}>
              {t`Unlink…`}
            </Button>
          )}
        </AccountAction>
      ))}
      {asked !== null && (
        <ConfirmModal
          title={t`Unlink the sign-in provider?`}
          text={t`This provider account can no longer be used to sign in to ${name}. Sessions continue until you end them.`}
          action={t`Unlink`}
          isBusy={unlink.isPending}
          error={unlink.error}
          onConfirm={() => unlink.mutate(asked, { onSuccess: close })}
          onClose={close}
        />
      )}
    </>
  );
}
