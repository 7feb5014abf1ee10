import { plural, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useResetTwoFactor, useSignOutEverywhere } from '../../../../api/operator/accounts.js';
import type { ConsoleAccountDetail } from '../../../../api/operator/schema.js';
import { useUser } from '../../../../api/session/session.js';
import { ConfirmModal } from '../../../../components/dialogs/confirm-modal.js';
import { showDone } from '../../../../components/notices/show-done.js';
import { Card } from '../../../../components/pages/card.js';
import { AccountAction } from './account-action.js';
import { IdentityActions } from './identity-actions.js';
import { ResetPasswordModal } from './reset-password-modal.js';
import { SignInAsModal } from './sign-in-as-modal.js';

export interface AccessCardProps {
  readonly account: ConsoleAccountDetail;
}

type Asked = 'sign-in' | 'sign-out' | 'reset' | 'two-factor' | null;

/** Sessions, password and second factor of the account's user. */
export function AccessCard({ account }: AccessCardProps) {
  const [asked, setAsked] = useState<Asked>(null);
  const signOut = useSignOutEverywhere(account.id);
  const resetTwoFactor = useResetTwoFactor(account.id);
  const isOwn = useUser()?.id === account.id;
  // Nobody signs in to an organization, so it has no password.
  const isOrganization = account.name !== account.email;
  const close = () => setAsked(null);
  const end = () =>
    signOut.mutate(undefined, {
      onSuccess: ({ sessions }) => {
        close();
        showDone(plural(sessions, { one: '# session was ended', other: '# sessions were ended' }));
      },
    });
  return (
    <Card id="access" title={t`Access`}>
      {!isOwn && (
        <AccountAction
          title={t`Sign in as this customer`}
          text={t`Shows the dashboard as the customer sees it, without changing anything. It is recorded.`}
        >
          <Button variant="default" onClick={() => setAsked('sign-in')}>
            {t`Sign in as…`}
          </Button>
        </AccountAction>
      )}
      <AccountAction
        title={t`Sign out everywhere`}
        text={t`Ends every session of the user. API keys keep working.`}
      >
        <Button variant="default" onClick={() => setAsked('sign-out')}>
          {t`Sign out everywhere…`}
        </Button>
      </AccountAction>
      {!isOrganization && (
        <AccountAction
          title={t`Reset password`}
          text={t`Replaces the password with a temporary one, and ends every session.`}
        >
          <Button variant="default" onClick={() => setAsked('reset')}>
            {t`Reset password…`}
          </Button>
        </AccountAction>
      )}
      {!isOwn && account.hasTwoFactor && (
        <AccountAction
          title={t`Reset two-factor authentication`}
          text={t`For a user who lost the authenticator app and the recovery codes. Verify the user's identity first.`}
        >
          <Button variant="default" onClick={() => setAsked('two-factor')}>
            {t`Reset two-factor…`}
          </Button>
        </AccountAction>
      )}
      <IdentityActions account={account} mayUnlink={!isOwn} />
      {asked === 'sign-out' && (
        <ConfirmModal
          title={t`Sign out everywhere?`}
          text={t`This ends every session of ${account.name}. The user can sign in again.`}
          action={t`Sign out everywhere`}
          isBusy={signOut.isPending}
          error={signOut.error}
          onConfirm={end}
          onClose={close}
        />
      )}
      {asked === 'two-factor' && (
        <ConfirmModal
          title={t`Reset two-factor authentication?`}
          text={t`${account.name} will then sign in with only a password. The recovery codes stop working.`}
          action={t`Reset two-factor`}
          isBusy={resetTwoFactor.isPending}
          error={resetTwoFactor.error}
          onConfirm={() => resetTwoFactor.mutate(undefined, { onSuccess: close })}
          onClose={close}
        />
      )}
      {asked === 'sign-in' && <SignInAsModal account={account} onClose={close} />}
      {asked === 'reset' && <ResetPasswordModal account={account} onClose={close} />}
    </Card>
  );
}
