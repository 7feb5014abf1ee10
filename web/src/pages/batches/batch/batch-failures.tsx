import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { useBatchItems } from '../../../api/batches/batches.js';
import { problemText } from '../../../api/problem-texts.js';
import type { SessionJob } from '../../../api/schema.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { Loading } from '../../../components/notices/loading.js';
import { EndOfList } from '../../../components/pages/end-of-list.js';
import { RowList } from '../../../components/pages/row-list.js';
import { openedFrom } from '../../jobs/opened-from.js';
import { photosText } from '../batch-text.js';
import classes from './batch-failures.module.css';

export interface BatchFailuresProps {
  readonly id: string;
  readonly count: number;
}

/** The failed photos, with reasons. */
export function BatchFailures({ id, count }: BatchFailuresProps) {
  const items = useBatchItems(id, 'failed');
  const failed = items.data?.pages.flatMap(({ data }) => data).filter(isFailure) ?? [];
  if (items.data !== undefined && failed.length === 0 && !items.hasNextPage) return null;
  return (
    <section aria-labelledby="batch-failures">
      <Title order={2} id="batch-failures" mb="xs">
        <Trans>{photosText(count)} failed</Trans>
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t`Failed photos cost nothing.`}
      </Text>
      {items.isPending && <Loading height={60} />}
      {items.isLoadingError && <ErrorState error={items.error} onRetry={() => void items.refetch()} />}
      {failed.length > 0 && (
        <RowList>
          {failed.map((job) => (
            <li key={job.id} className={classes['item']}>
              <Link to={`/jobs/${job.id}`} state={openedFrom(job.batchId)} className={classes['name'] ?? ''}>
                {job.sourceName ?? t`Photo ${(job.batchIndex ?? 0) + 1}`}
              </Link>
              <span className={classes['reason']}>{reasonOf(job)}</span>
            </li>
          ))}
        </RowList>
      )}
      {items.hasNextPage && <EndOfList query={items} count={failed.length} />}
    </section>
  );
}

/** Translated, unless the code is unknown. */
function reasonOf({ error }: SessionJob): string | undefined {
  return error === null ? undefined : (problemText(error.code)?.detail ?? error.message);
}

function isFailure({ error }: SessionJob): boolean {
  return error !== null && error.code !== 'canceled';
}
