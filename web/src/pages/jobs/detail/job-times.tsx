import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text, Title } from '@mantine/core';
import type { Job, JobTimings } from 'image-enhancement-client';
import { formatDuration } from '../../../lib/format.js';
import classes from './job-times.module.css';

const STEPS: readonly { readonly key: Exclude<keyof JobTimings, 'totalMs'>; readonly label: string }[] = [
  { key: 'queuedMs', label: t`Queued` },
  { key: 'decodeMs', label: t`Decoding` },
  { key: 'inferenceMs', label: t`Inference` },
  { key: 'encodeMs', label: t`Encoding` },
];

export interface JobTimesProps {
  readonly job: Job;
}

/** How the duration of the job is distributed. */
export function JobTimes({ job }: JobTimesProps) {
  const { timings } = job;
  if (timings === null) return null;
  const known = STEPS.reduce((sum, { key }) => sum + timings[key], 0);
  const rest = Math.max(0, timings.totalMs - known);
  const total = Math.max(1, timings.totalMs);
  const rows = [
    ...STEPS.map(({ key, label }) => ({ label, ms: timings[key] })),
    { label: t`Storage and other`, ms: rest },
  ];
  return (
    <section aria-labelledby="job-times">
      <Title order={3} id="job-times" mb="xs">
        {t`Timings`}
      </Title>
      <dl className={classes['list']}>
        {rows.map(({ label, ms }) => (
          <div key={label} className={classes['row']}>
            <dt>{label}</dt>
            <dd className={classes['track']} aria-hidden>
              <span style={{ width: `${Math.min(100, (ms / total) * 100)}%` }} />
            </dd>
            <dd className={classes['ms']}>{formatDuration(ms)}</dd>
          </div>
        ))}
      </dl>
      <Text size="sm" ta="end" mt={4}>
        <Trans>
          <b>{formatDuration(timings.totalMs)}</b> from creation to completion
        </Trans>
      </Text>
    </section>
  );
}
