import { t } from '@lingui/core/macro';
import { Anchor, Skeleton, Stack, Text } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link, useParams } from 'react-router';
import { useConsoleAccount } from '../../../../api/operator/accounts.js';
import type { Suspension } from '../../../../api/operator/schema.js';
import { ErrorState } from '../../../../components/notices/error-state.js';
import { Notice } from '../../../../components/notices/notice.js';
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
      <Anchor component={Link} to="/operator/accounts" className={classes['back'] ?? ''} size="sm">
        <IconArrowLeft size={15} stroke={1.8} aria-hidden />
        {t`All accounts`}
      </Anchor>
      <PageHeader title={account.data?.name ?? t`Account`} description={id} />
      {account.isPending && <Skeleton height={300} aria-label={t`Loading`} />}
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
      <Text size="sm">{t`The customer reads: ${suspension.reason}`}</Text>
    </Notice>
  );
}
