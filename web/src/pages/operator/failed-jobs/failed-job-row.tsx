import { t } from '@lingui/core/macro';
import { Button, Text } from '@mantine/core';
import { useRunAgain } from '../../../api/operator/failed-jobs.js';
import type { FailedJob } from '../../../api/operator/schema.js';
import { problemOf } from '../../../api/problem.js';
import { RelativeTime } from '../../../components/times/relative-time.js';
import { operationLabel } from '../../../lib/format.js';
import { OwnerLine } from '../owner-line.js';
import classes from './failed-jobs.module.css';

const WHY_NOT = {
  source_deleted: t`The photo was deleted, so it can't be run again.`,
  account_suspended: t`The account is suspended. Resume it to run the job again.`,
} as const;

export interface FailedJobRowProps {
  readonly job: FailedJob;
}

/** One failed job: its operation, account, and reason, and a button that runs it again. */
export function FailedJobRow({ job }: FailedJobRowProps) {
  const again = useRunAgain(job.id);
  return (
    <li className={classes['row']}>
      <div className={classes['what']}>
        <span>
          <code className={classes['reason']}>{job.code}</code> {operationLabel(job.operation)}
        </span>
        <span className={classes['message']}>{job.message}</span>
        <OwnerLine accountId={job.accountId} account={job.accountName} id={job.id} />
        {again.error !== null && (
          <Text size="sm" role="alert" c="var(--mantine-color-error)">
            {problemOf(again.error).detail}
          </Text>
        )}
      </div>
      <span className={classes['when']}>
        <RelativeTime iso={job.failedAt} />
      </span>
      <span className={classes['action']}>
        {job.rerun === 'possible' && (
          <Button
            size="xs"
            variant="default"
            loading={again.isPending}
            aria-label={t`Run again: ${job.id}`}
            onClick={() => again.mutate()}
          >
            {t`Run again`}
          </Button>
        )}
        {job.rerun === 'done' && (
          <Text size="xs" c="dimmed">
            {t`Run again as ${job.rerunAs ?? ''}`}
          </Text>
        )}
        {(job.rerun === 'source_deleted' || job.rerun === 'account_suspended') && (
          <Text size="xs" c="dimmed">
            {WHY_NOT[job.rerun]}
          </Text>
        )}
      </span>
    </li>
  );
}
