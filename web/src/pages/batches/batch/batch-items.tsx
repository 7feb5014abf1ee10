import { t } from '@lingui/core/macro';
import { Title } from '@mantine/core';
import { IconPhotoOff } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { useBatchItems } from '../../../api/batches/batches.js';
import type { SessionJob } from '../../../api/schema.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { Loading } from '../../../components/notices/loading.js';
import { EndOfList } from '../../../components/pages/end-of-list.js';
import { badgeOf } from '../../../components/status/job-badges.js';
import { StatusBadge } from '../../../components/status/status-badge.js';
import { localPath } from '../../../lib/file-path.js';
import { usePicture } from '../../../lib/use-picture.js';
import { openedFrom } from '../../jobs/opened-from.js';
import classes from './batch-items.module.css';

export interface BatchItemsProps {
  readonly items: ReturnType<typeof useBatchItems>;
}

/** The photos of a batch in their order, with the state of each. */
export function BatchItems({ items }: BatchItemsProps) {
  const jobs = items.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <section aria-labelledby="batch-items">
      <Title order={2} id="batch-items" mb="xs">
        {t`Photos`}
      </Title>
      {items.isPending && <Loading height={180} />}
      {items.isError && jobs.length === 0 && (
        <ErrorState error={items.error} onRetry={() => void items.refetch()} />
      )}
      <ul className={classes['grid']} aria-label={t`Photos of the batch`}>
        {jobs.map((job) => (
          <li key={job.batchIndex}>
            <BatchItem job={job} />
          </li>
        ))}
      </ul>
      {items.hasNextPage && <EndOfList query={items} count={jobs.length} />}
    </section>
  );
}

function BatchItem({ job }: { readonly job: SessionJob }) {
  const name = job.sourceName ?? t`Photo ${(job.batchIndex ?? 0) + 1}`;
  return (
    <Link to={`/jobs/${job.id}`} state={openedFrom(job.batchId)} className={classes['item'] ?? ''}>
      {/* The URL changes once there is a result. */}
      <ItemPicture key={job.thumbnailUrl} url={job.thumbnailUrl} />
      <span className={classes['name']} title={name}>
        {name}
      </span>
      <StatusBadge {...badgeOf(job)} />
    </Link>
  );
}

function ItemPicture({ url }: { readonly url: string | null }) {
  const { attempt, ref, isGone, onError } = usePicture(url);
  if (url === null || isGone)
    return (
      <span className={classes['picture']} aria-hidden>
        <IconPhotoOff size={20} stroke={1.5} />
      </span>
    );
  return (
    <img
      key={attempt}
      ref={ref}
      className={classes['picture']}
      src={localPath(url)}
      alt=""
      loading="lazy"
      fetchPriority="low"
      decoding="async"
      onError={onError}
    />
  );
}
