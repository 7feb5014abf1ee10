import { DataList, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { SessionJob } from '../../../api/schema.js';
import { CopyButton } from '../../../components/text/copy-button.js';
import { formatBytes, formatDateTime, formatName, formatSize } from '../../../lib/format.js';
import { appliedFacts } from './applied-facts.js';
import classes from './job-facts.module.css';

export interface JobFactsProps {
  readonly job: SessionJob;
}

/** What the job was, what made it and what it made. */
export function JobFacts({ job }: JobFactsProps) {
  return (
    <section aria-labelledby="job-facts">
      <Title order={3} id="job-facts" mb="xs">
        Details
      </Title>
      <DataList withDivider labelWidth={140}>
        {factsOf(job).map(([label, value]) => (
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

function factsOf(job: SessionJob): readonly Fact[] {
  return [
    ['Id', <JobId key="id" id={job.id} />],
    ...originFacts(job),
    ...resultFacts(job),
    ['Device', job.device ?? '–'],
    ['Attempts', job.attempts],
    ['Created', formatDateTime(job.createdAt)],
    ['Started', job.startedAt === null ? '–' : formatDateTime(job.startedAt)],
    ['Ended', job.completedAt === null ? '–' : formatDateTime(job.completedAt)],
    ...Object.entries(job.metadata).map(([name, value]) => [`Metadata: ${name}`, value] as const),
  ];
}

function originFacts(job: SessionJob): Fact[] {
  const { sourceName, batchId, batchIndex, callbackUrl, cancelAt, preset, livemode } = job;
  const facts: Fact[] = [['Photo', sourceName ?? '–']];
  if (!livemode) facts.push(['Mode', 'Test, costs nothing']);
  if (preset !== undefined) facts.push(['Preset', preset]);
  if (batchId !== undefined)
    facts.push([
      'Batch',
      <Link key="batch" to={`/batches/${batchId}`}>
        Photo {(batchIndex ?? 0) + 1} of a batch
      </Link>,
    ]);
  if (callbackUrl !== undefined) facts.push(['Callback', callbackUrl]);
  if (cancelAt !== undefined) facts.push(['Canceled unless ended by', formatDateTime(cancelAt)]);
  return facts;
}

function resultFacts(job: SessionJob): Fact[] {
  const { model, result, operations } = job;
  const facts: Fact[] = [
    [
      'Result',
      result === undefined
        ? '–'
        : `${formatSize(result)} ${formatName(result.format)}, ${formatBytes(result.bytes)}`,
    ],
    ...appliedFacts(job),
  ];
  if (job.cached === true) facts.push(['Result cache', 'Copied from an equal job, free of charge']);
  const kept = result === undefined ? '–' : formatDateTime(result.expiresAt);
  facts.push(['Kept until', job.retention === 'deliver' ? `${kept}, or until it is downloaded` : kept]);
  // The models of a chain are beside its steps.
  if (operations.length === 1)
    facts.push(['Model', model === null ? '–' : `${model.name}, version ${model.version}`]);
  return facts;
}

function JobId({ id }: { readonly id: string }) {
  return (
    <span className={classes['id']}>
      <code>{id}</code>
      <CopyButton text={id} label="Copy job ID" />
    </span>
  );
}
