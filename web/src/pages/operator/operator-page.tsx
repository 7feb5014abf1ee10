import { t } from '@lingui/core/macro';
import { Code, Skeleton, Stack, Text } from '@mantine/core';
import '@mantine/core/styles/Code.css';
import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from 'image-enhancement-client';
import { useEffect } from 'react';
import { useOverview } from '../../api/operator/overview.js';
import { SESSION_KEY, useAccount } from '../../api/session/session.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { Notice } from '../../components/notices/notice.js';
import { PageHeader } from '../../components/pages/page-header.js';
import { LoadHistory } from './load-history.js';
import { NowTiles } from './now-tiles.js';
import { OperationTable } from './operation-table.js';
import { TEXTS } from './texts.js';
import { WorkerList } from './worker-list.js';

const NOT_FOUND = 404;

/** The load of the whole service. */
export function OperatorPage() {
  const account = useAccount();
  return (
    <>
      <PageHeader title={TEXTS.title} description={TEXTS.description} />
      {account?.operator === true ? <Overview /> : <Refused email={account?.email ?? ''} />}
    </>
  );
}

function Overview() {
  const overview = useOverview();
  useRoleLost(overview.error);
  return (
    <Stack gap="md">
      {overview.isPending && <Skeleton height={220} aria-label={t`Loading`} />}
      {overview.isError && <ErrorState error={overview.error} onRetry={() => void overview.refetch()} />}
      {overview.data !== undefined && <NowTiles overview={overview.data} />}
      <LoadHistory />
      {overview.data !== undefined && (
        <>
          <OperationTable operations={overview.data.operations} />
          <WorkerList workers={overview.data.workers} />
        </>
      )}
    </Stack>
  );
}

/** The service responds with 404 after the role is revoked. The reloaded session then lacks the role. */
function useRoleLost(error: Error | null) {
  const client = useQueryClient();
  const isLost = error instanceof ApiError && error.status === NOT_FOUND;
  useEffect(() => {
    if (isLost) void client.invalidateQueries({ queryKey: SESSION_KEY });
  }, [client, isLost]);
}

function Refused({ email }: { readonly email: string }) {
  return (
    <Notice tone="warn" title={TEXTS.refused}>
      <Text size="sm" mb="xs">
        {TEXTS.refusedHint}
      </Text>
      <Code>{`npm run admin -- operator grant ${email}`}</Code>
    </Notice>
  );
}
