import { t } from '@lingui/core/macro';
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useResume } from '../../../../api/operator/accounts.js';
import type { ConsoleAccountDetail } from '../../../../api/operator/schema.js';
import { useUser } from '../../../../api/session/session.js';
import { ErrorState } from '../../../../components/notices/error-state.js';
import { Card } from '../../../../components/pages/card.js';
import { AccountAction } from './account-action.js';
import { EraseAccountModal } from './erase-account-modal.js';
import { SuspendModal } from './suspend-modal.js';

export interface DangerCardProps {
  readonly account: ConsoleAccountDetail;
}

/** Suspends or deletes the account. */
export function DangerCard({ account }: DangerCardProps) {
  const [asked, setAsked] = useState<'suspend' | 'delete' | null>(null);
  const resume = useResume(account.id);
  const isOwn = useUser()?.id === account.id;
  const close = () => setAsked(null);
  return (
    <Card id="danger" title={t`Suspend or delete`}>
      {isOwn && (
        <Text size="sm" c="dimmed" mb="md">
          {t`This is your own account. Only another operator can suspend or delete it.`}
        </Text>
      )}
      {resume.error !== null && <ErrorState error={resume.error} />}
      {account.status === 'suspended' ? (
        <AccountAction
          title={t`Resume account`}
          text={t`API keys work again, and the user can sign in. Canceled jobs stay canceled.`}
        >
          <Button variant="default" loading={resume.isPending} onClick={() => resume.mutate(undefined)}>
            {t`Resume account`}
          </Button>
        </AccountAction>
      ) : (
        <AccountAction
          title={t`Suspend account`}
          text={t`API keys get an error with your reason, sessions end, and waiting jobs are canceled without charge. Nothing is deleted.`}
        >
          <Button variant="default" disabled={isOwn} onClick={() => setAsked('suspend')}>
            {t`Suspend account…`}
          </Button>
        </AccountAction>
      )}
      <AccountAction
        title={t`Delete account`}
        text={t`Permanently deletes the account with all its photos, results, jobs, keys and webhooks.`}
      >
        <Button
          variant="default"
          disabled={isOwn}
          c={isOwn ? undefined : 'var(--mantine-color-error)'}
          onClick={() => setAsked('delete')}
        >
          {t`Delete account…`}
        </Button>
      </AccountAction>
      {asked === 'suspend' && <SuspendModal account={account} onClose={close} />}
      {asked === 'delete' && <EraseAccountModal account={account} onClose={close} />}
    </Card>
  );
}
