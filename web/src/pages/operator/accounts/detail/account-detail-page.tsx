import { t } from '@lingui/core/macro';
import { Stack, Text } from '@mantine/core';
import { useParams } from 'react-router';
import { useConsoleAccount } from '../../../../api/operator/accounts.js';
import type { Suspension } from '../../../../api/operator/schema.js';
import { ErrorState } from '../../../../components/notices/error-state.js';
import { Loading } from '../../../../components/notices/loading.js';
import { Notice } from '../../../../components/notices/notice.js';
import { BackLink } from '../../../../components/pages/back-link.js';
import { PageHeader } from '../../../../components/pages/page-header.js';
import { formatDateTime } from '../../../../lib/format.js';
import { AccessCard } from './access-card.js';
import { AccountFacts } from './account-facts.js';
import classes from './account-detail.module.css';
import { DangerCard } from './danger-card.js';
import { PlanCard } from './plan-card.js';

/** One account: who it is, what it uses, and what an operator can change about it. */
export function AccountDetailPage() {
  const { id = '' } = useParams();
  const account = useConsoleAccount(id);
  return (
    <>
      <BackLink to="/operator/accounts" label={t`All accounts`} />
      <PageHeader title={account.data?.name ?? t`Account`} description={id} />
      {account.isPending && <Loading height={300} />}
      {account.isError && <ErrorState error={account.error} onRetry={() => void account.refetch()} />}
      {account.data !== undefined && (
        <Stack gap="lg" className={classes['root']}>
          {account.data.suspension !== null && <SuspendedNotice suspension={account.data.suspension} />}
          <AccountFacts account={account.data} />
          <PlanCard account={account.data} />
          <AccessCard account={account.data} />
          <DangerCard account={account.data} />
        </Stack>
      )}
    </>
  );
}

function SuspendedNotice({ suspension }: { readonly suspension: Suspension }) {
  return (
    <Notice tone="bad" title={t`Suspended since ${formatDateTime(suspension.at)}`}>
      <Text size="sm">{t`Shown to the customer: ${suspension.reason}`}</Text>
    </Notice>
  );
}
