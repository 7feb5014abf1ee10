import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Paper, Stack, Text } from '@mantine/core';
import { useParams } from 'react-router';
import { useBatch, useBatchItems } from '../../../api/batches/batches.js';
import type { SessionBatchDetail } from '../../../api/schema.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { Loading } from '../../../components/notices/loading.js';
import { BackLink } from '../../../components/pages/back-link.js';
import { PageHeader } from '../../../components/pages/page-header.js';
import { StatusBadge } from '../../../components/status/status-badge.js';
import { RelativeTime } from '../../../components/times/relative-time.js';
import { jobLabel } from '../../../lib/steps-text.js';
import { BatchProgress } from '../batch-progress.js';
import { batchBadge, batchTitle, countsText, photosText } from '../batch-text.js';
import { BatchActions } from './batch-actions.js';
import { BatchFailures } from './batch-failures.js';
import { BatchItems } from './batch-items.js';
import classes from './batch-page.module.css';
import { withLoadedJobs } from './with-loaded-jobs.js';

/** The progress of a batch, its failures with reasons, and its results. */
export function BatchPage() {
  const { id = '' } = useParams();
  const batch = useBatch(id);
  return (
    <>
      <BackLink to="/batches" label={t`All batches`} />
      {batch.isPending && <Loading height={300} />}
      {batch.isError && batch.data === undefined && (
        <>
          <PageHeader title={t`Batch`} description={t`This batch couldn't be shown.`} />
          <ErrorState error={batch.error} onRetry={() => void batch.refetch()} />
        </>
      )}
      {batch.data !== undefined && <Shown key={id} batch={batch.data} />}
    </>
  );
}

/** The number of photos, unless the title contains it. */
function descriptionOf(batch: SessionBatchDetail): string {
  const count = photosText(batch.counts.total);
  const steps = jobLabel(batch.operations);
  return batchTitle(batch) === count ? steps : `${steps} · ${count}`;
}

function Shown({ batch: read }: { readonly batch: SessionBatchDetail }) {
  const items = useBatchItems(read.id);
  const batch = withLoadedJobs(read, items.data?.pages.flatMap(({ data }) => data) ?? []);
  return (
    <>
      <PageHeader title={batchTitle(batch)} description={descriptionOf(batch)}>
        <BatchActions batch={batch} />
      </PageHeader>
      <Stack gap="lg">
        <Paper withBorder p="md">
          <div className={classes['state']}>
            <StatusBadge {...batchBadge(batch)} />
            <Text size="sm" aria-live="polite">
              {countsText(batch.counts)}
            </Text>
            <Text size="sm" c="dimmed" className={classes['when'] ?? ''}>
              <Trans>
                Created <RelativeTime iso={batch.createdAt} />
              </Trans>
            </Text>
          </div>
          <BatchProgress batch={batch} />
        </Paper>
        {batch.counts.failed > 0 && <BatchFailures id={batch.id} count={batch.counts.failed} />}
        <BatchItems items={items} />
      </Stack>
    </>
  );
}
