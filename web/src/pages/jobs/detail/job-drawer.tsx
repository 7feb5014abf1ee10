import { t } from '@lingui/core/macro';
import { Group, Stack } from '@mantine/core';
import { isResultKept } from '../../../api/jobs/job.js';
import { useJob } from '../../../api/jobs/jobs.js';
import { isGone } from '../../../api/problem.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { JobFault } from '../../../components/notices/job-fault.js';
import { Loading } from '../../../components/notices/loading.js';
import { StatusBadge } from '../../../components/status/status-badge.js';
import { jobLabel } from '../../../lib/steps-text.js';
import { useNow } from '../../../lib/use-now.js';
import { JobActions } from './job-actions.js';
import { JobFacts } from './job-facts.js';
import { JobPictures } from './job-pictures.js';
import { JobSteps } from './job-steps.js';
import { JobTimes } from './job-times.js';
import { badgeOf } from '../../../components/status/job-badges.js';
import { SidePanel } from '../../../components/dialogs/side-panel.js';

/** Interval at which an expired result is removed from the panel. */
const CLOCK_MS = 60_000;

export interface JobDrawerProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** The details of one job, next to the list. */
export function JobDrawer({ id, onClose }: JobDrawerProps) {
  const job = useJob(id);
  const nowMs = useNow(CLOCK_MS);
  const isKept = job.data !== undefined && isResultKept(job.data, nowMs);
  const isDeleted = isGone(job.error);
  return (
    <SidePanel
      onClose={onClose}
      title={
        job.data === undefined ? (
          t`Job`
        ) : (
          <Group gap="sm">
            {jobLabel(job.data.operations)}
            <StatusBadge {...badgeOf(job.data)} />
          </Group>
        )
      }
    >
      {job.isPending && <Loading height={360} />}
      {job.isError && (job.data === undefined || isDeleted) && (
        <ErrorState error={job.error} onRetry={() => void job.refetch()} />
      )}
      {/* Stays rendered when a refresh fails: a dialog may be open that shows a link only once. */}
      {job.data !== undefined && !isDeleted && (
        // Without the key, a question about one job would stay open and then be about the next one.
        <Stack key={id} gap="lg">
          <JobActions job={job.data} isKept={isKept} onDeleted={onClose} />
          {job.data.error !== null && <JobFault error={job.data.error} />}
          <JobPictures job={job.data} isKept={isKept} />
          <JobSteps steps={job.data.operations} />
          <JobTimes job={job.data} />
          <JobFacts job={job.data} isKept={isKept} />
        </Stack>
      )}
    </SidePanel>
  );
}
