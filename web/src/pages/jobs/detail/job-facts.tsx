import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { DataList, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { isErasedOnceRead } from '../../../api/jobs/job.js';
import type { SessionJob } from '../../../api/schema.js';
import { CopyButton } from '../../../components/text/copy-button.js';
import { formatBytes, formatDateTime, formatName, formatSize } from '../../../lib/format.js';
import { appliedFacts } from './applied-facts.js';
import classes from './job-facts.module.css';

export interface JobFactsProps {
  readonly job: SessionJob;
  /** Whether its result still exists. */
  readonly isKept: boolean;
}

/** Facts about the job: its options, its model, and its result. */
export function JobFacts({ job, isKept }: JobFactsProps) {
  return (
    <section aria-labelledby="job-facts">
      <Title order={3} id="job-facts" mb="xs">
        {t`Details`}
      </Title>
      <DataList withDivider labelWidth={140}>
        {factsOf(job, isKept).map(([label, value]) => (
          <DataList.Item key={label}>
            <DataList.ItemLabel>{label}</DataList.ItemLabel>
            <DataList.ItemValue className={classes['value']}>{value}</DataList.ItemValue>
          </DataList.Item>
        ))}
      </DataList>
    </section>
  );
}

type Fact = readonly [label: string, value: ReactNode];

function factsOf(job: SessionJob, isKept: boolean): readonly Fact[] {
  return [
    [t`ID`, <JobId key="id" id={job.id} />],
    ...originFacts(job),
    ...resultFacts(job, isKept),
    [t`Device`, job.device ?? '–'],
    [t`Attempts`, job.attempts],
    [t`Created`, formatDateTime(job.createdAt)],
    [t`Started`, job.startedAt === null ? '–' : formatDateTime(job.startedAt)],
    [t`Ended`, job.completedAt === null ? '–' : formatDateTime(job.completedAt)],
    ...Object.entries(job.metadata).map(([name, value]) => [t`Metadata: ${name}`, value] as const),
  ];
}

function originFacts(job: SessionJob): Fact[] {
  const { sourceName, batchId, batchIndex, callbackUrl, cancelAt, preset, livemode } = job;
  const facts: Fact[] = [[t`Photo`, sourceName ?? '–']];
  if (!livemode) facts.push([t`Mode`, t`Test (not charged)`]);
  if (preset !== undefined) facts.push([t`Preset`, preset]);
  if (batchId !== undefined)
    facts.push([
      t`Batch`,
      <Link key="batch" to={`/batches/${batchId}`}>
        <Trans>Photo {(batchIndex ?? 0) + 1} of a batch</Trans>
      </Link>,
    ]);
  if (callbackUrl !== undefined) facts.push([t`Callback`, callbackUrl]);
  if (cancelAt !== undefined) facts.push([t`Canceled if not finished by`, formatDateTime(cancelAt)]);
  return facts;
}

function resultFacts(job: SessionJob, isKept: boolean): Fact[] {
  const { model, result, operations } = job;
  const facts: Fact[] = [
    [
      t`Result`,
      result === undefined
        ? '–'
        : `${formatSize(result)} ${formatName(result.format)}, ${formatBytes(result.bytes)}`,
    ],
    ...appliedFacts(job),
  ];
  if (job.cached === true) facts.push([t`Result cache`, t`Copied from an identical job at no charge`]);
  const kept = result === undefined ? '–' : formatDateTime(result.expiresAt);
  facts.push([t`Kept until`, isKept && isErasedOnceRead(job) ? t`${kept}, or until it is downloaded` : kept]);
  // For a chain, the models are shown with the steps.
  if (operations.length === 1)
    facts.push([t`Model`, model === null ? '–' : t`${model.name}, version ${model.version}`]);
  return facts;
}

function JobId({ id }: { readonly id: string }) {
  return (
    <span className={classes['id']}>
      <code>{id}</code>
      <CopyButton text={id} label={t`Copy job ID`} />
    </span>
  );
}
