import { DataList, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { SessionJob } from '../../api/schema.js';
import { CopyButton } from '../../components/text/copy-button.js';
import { formatBytes, formatDateTime, formatSize } from '../../lib/format.js';
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

function factsOf(job: SessionJob): readonly (readonly [string, ReactNode])[] {
  const { model, result } = job;
  return [
    [
      'Id',
      <span className={classes['id']} key="id">
        <code>{job.id}</code>
        <CopyButton text={job.id} label="Copy job ID" />
      </span>,
    ],
    ['Photo', job.sourceName ?? '–'],
    [
      'Result',
      result === undefined
        ? '–'
        : `${formatSize(result)} ${result.format.toUpperCase()}, ${formatBytes(result.bytes)}`,
    ],
    ['Kept until', result === undefined ? '–' : formatDateTime(result.expiresAt)],
    ['Model', model === null ? '–' : `${model.name}, version ${model.version}`],
    ['Device', job.device ?? '–'],
    ['Attempts', job.attempts],
    ['Created', formatDateTime(job.createdAt)],
    ['Started', job.startedAt === null ? '–' : formatDateTime(job.startedAt)],
    ['Ended', job.completedAt === null ? '–' : formatDateTime(job.completedAt)],
    ...Object.entries(job.metadata).map(([name, value]) => [`Metadata: ${name}`, value] as const),
  ];
}
