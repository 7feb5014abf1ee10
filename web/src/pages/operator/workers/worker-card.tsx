import { t } from '@lingui/core/macro';
import { Group, Paper, Text, Title } from '@mantine/core';
import type { Worker } from '../../../api/operator/schema.js';
import { StatusBadge, type Tone } from '../../../components/status/status-badge.js';
import { RelativeTime } from '../../../components/times/relative-time.js';
import { formatBytes, operationLabel } from '../../../lib/format.js';
import { GpuMeter } from '../gpu-meter.js';
import { WorkerActions } from './worker-actions.js';
import { WorkerSettings } from './worker-settings.js';
import classes from './workers-page.module.css';

const STATES: Readonly<Record<Worker['state'], { readonly tone: Tone; readonly label: string }>> = {
  serving: { tone: 'good', label: t`Serving` },
  draining: { tone: 'warn', label: t`Draining` },
  drained: { tone: 'calm', label: t`Drained` },
  gone: { tone: 'bad', label: t`Gone` },
};

export interface WorkerCardProps {
  readonly worker: Worker;
  /** Whether no other worker takes jobs. */
  readonly isLastServing: boolean;
  readonly onLog: () => void;
}

export function WorkerCard({ worker, isLastServing, onLog }: WorkerCardProps) {
  const { id, host, pid, state, refusals } = worker;
  return (
    <Paper withBorder component="article" aria-labelledby={id} className={classes['card']}>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        <div className={classes['names']}>
          <Title order={2} id={id} className={classes['host']}>
            {host}
          </Title>
          <Text size="xs" c="dimmed" className={classes['id']}>
            {id} · {t`process ${pid}`}
          </Text>
        </div>
        <StatusBadge {...STATES[state]} />
      </Group>
      <Served worker={worker} />
      {refusals.map(({ operation, version, message }) => (
        <Text size="sm" key={`${operation}/${version}`} className={classes['refusal']}>
          {message}
        </Text>
      ))}
      <Facts worker={worker} />
      {worker.gpus.map((gpu) => (
        <GpuMeter key={gpu.gpu} gpu={gpu} />
      ))}
      {worker.settings.length > 0 && <WorkerSettings settings={worker.settings} />}
      {state !== 'gone' && <WorkerActions worker={worker} isLastServing={isLastServing} onLog={onLog} />}
    </Paper>
  );
}

function Served({ worker: { operations, earlierVersions } }: { readonly worker: Worker }) {
  return (
    <ul className={classes['served']} aria-label={t`Models`}>
      {operations.map(({ operation, version, model }) => (
        <li key={operation}>
          <span>{operationLabel(operation)}</span>
          <span className={classes['version']}>{`${model} · v${version}`}</span>
        </li>
      ))}
      {earlierVersions.length > 0 && (
        <li>
          <span>{t`Earlier versions`}</span>
          <span className={classes['version']}>{earlierVersions.join(', ')}</span>
        </li>
      )}
    </ul>
  );
}

function Facts({ worker }: { readonly worker: Worker }) {
  const { device, precision, jobs, concurrency, memoryBytes, version } = worker;
  const most = concurrency ?? '–';
  const facts = [
    [t`Device`, precision === null ? device : `${device} · ${precision}`],
    [t`Running jobs`, jobs === null ? t`Unknown` : t`${jobs} of ${most}`],
    [t`Memory`, memoryBytes === null ? t`Unknown` : formatBytes(memoryBytes)],
    [t`Service version`, version ?? t`Unknown`],
  ] as const;
  return (
    <dl className={classes['facts']}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      <div>
        <dt>{t`Started`}</dt>
        <dd>
          <RelativeTime iso={worker.startedAt} />
        </dd>
      </div>
      <div>
        <dt>{t`Last heartbeat`}</dt>
        <dd>
          <RelativeTime iso={worker.seenAt} />
        </dd>
      </div>
    </dl>
  );
}
