import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconStack2 } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useBatches } from '../../api/batches/batches.js';
import { EmptyState } from '../../components/notices/empty-state.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { Loading } from '../../components/notices/loading.js';
import { EndOfList, listFault } from '../../components/pages/end-of-list.js';
import { PageHeader } from '../../components/pages/page-header.js';
import { RowList } from '../../components/pages/row-list.js';
import { BatchRow } from './batch-row.js';

/** Every batch of the account, newest first. */
export function BatchesPage() {
  const batches = useBatches();
  const list = batches.data?.pages.flatMap(({ data }) => data) ?? [];
  const fault = listFault(batches);
  return (
    <>
      <PageHeader
        title={t`Batches`}
        description={t`The same enhancement for many photos at once, newest first.`}
      >
        <Button component={Link} to="/playground" variant="default">
          {t`New batch`}
        </Button>
      </PageHeader>
      {batches.isPending && <Loading height={260} />}
      {fault !== null && <ErrorState error={fault} onRetry={() => void batches.refetch()} />}
      {batches.isSuccess && list.length === 0 && (
        <EmptyState
          icon={<IconStack2 size={22} stroke={1.5} />}
          title={t`No batches yet`}
          description={t`Drop a folder or several photos in the playground, or create a batch with the API.`}
        >
          <Button component={Link} to="/playground">
            {t`Open the playground`}
          </Button>
        </EmptyState>
      )}
      {list.length > 0 && (
        <RowList label={t`Batches`}>
          {list.map((batch) => (
            <li key={batch.id}>
              <BatchRow batch={batch} />
            </li>
          ))}
        </RowList>
      )}
      <EndOfList query={batches} count={list.length} />
    </>
  );
}
