import { Group, Text } from '@mantine/core';
import type { WorkerFigures } from '../../../api/operator/schema.js';
import { Card } from '../../../components/pages/card.js';
import { StatusBadge } from '../../../components/status/status-badge.js';
import { RelativeTime } from '../../../components/times/relative-time.js';
import { formatBytes } from '../../../lib/format.js';
import { GpuMeter } from '../gpu-meter.js';
import classes from './overview.module.css';
import { TEXTS } from './texts.js';

export interface WorkerListProps {
  readonly workers: readonly WorkerFigures[];
}

/** Workers with a recent heartbeat, and the GPUs of their machines. */
export function WorkerList({ workers }: WorkerListProps) {
  return (
    <Card id="workers" title={TEXTS.workers}>
      {workers.length === 0 && (
        <Text size="sm" c="dimmed">
          {TEXTS.noWorkers}
        </Text>
      )}
      <div className={classes['workers']}>
        {workers.map((worker) => (
          <WorkerCard key={worker.id} worker={worker} />
        ))}
      </div>
    </Card>
  );
}

function WorkerCard({ worker }: { readonly worker: WorkerFigures }) {
  const isServing = worker.state === 'serving';
  return (
    <article aria-label={worker.id} className={classes['worker']}>
      <Group justify="space-between" gap="xs">
        <Text fw={500} size="sm">
          {worker.host} · {worker.device}
        </Text>
        <StatusBadge tone={isServing ? 'good' : 'warn'} label={isServing ? TEXTS.serving : TEXTS.draining} />
      </Group>
      <Text size="xs" c="dimmed" className={classes['id']}>
        {worker.id}
      </Text>
      <Text size="sm" className={classes['id']}>
        {worker.operations.join(', ')}
      </Text>
      <dl className={classes['facts']}>
        <dt>{TEXTS.memory}</dt>
        <dd>{worker.memoryBytes === null ? TEXTS.unknown : formatBytes(worker.memoryBytes)}</dd>
        <dt>{TEXTS.started}</dt>
        <dd>
          <RelativeTime iso={worker.startedAt} />
        </dd>
        <dt>{TEXTS.lastSeen}</dt>
        <dd>
          <RelativeTime iso={worker.seenAt} />
        </dd>
      </dl>
      {worker.gpus.map((gpu) => (
        <GpuMeter key={gpu.gpu} gpu={gpu} />
      ))}
    </article>
  );
}
