import { Stack } from '@mantine/core';
import { useOverview } from '../../../api/operator/overview.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { Loading } from '../../../components/notices/loading.js';
import { PageHeader } from '../../../components/pages/page-header.js';
import { LoadHistory } from './load-history.js';
import { MailOff } from './mail-off.js';
import { NowTiles } from './now-tiles.js';
import { OperationTable } from './operation-table.js';
import { TEXTS } from './texts.js';
import { WorkerList } from './worker-list.js';

/** The load of the whole service. */
export function OverviewPage() {
  const overview = useOverview();
  return (
    <>
      <PageHeader title={TEXTS.title} description={TEXTS.description} />
      <Stack gap="md">
        <MailOff />
        {overview.isPending && <Loading height={220} />}
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
    </>
  );
}
