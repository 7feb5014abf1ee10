import type { Overview } from '../../../api/operator/schema.js';
import { Card } from '../../../components/pages/card.js';
import { formatBytes, formatDuration, formatNumber } from '../../../lib/format.js';
import classes from './overview.module.css';
import { TEXTS } from './texts.js';

export interface NowTilesProps {
  readonly overview: Overview;
}

interface Tile {
  readonly label: string;
  readonly value: string;
  readonly note?: string;
  /** Whether the value needs the operator's attention. */
  readonly isBad?: boolean;
}

const time = (ms: number | null): string => (ms === null ? '–' : formatDuration(ms));

/** The current figures. */
export function NowTiles({ overview }: NowTilesProps) {
  return (
    <Card id="now" title={TEXTS.now} hint={TEXTS.nowHint}>
      <dl className={classes['tiles']}>
        {tilesOf(overview).map(({ label, value, note, isBad }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className={classes['value']} data-bad={isBad === true}>
              {value}
            </dd>
            {note !== undefined && <dd className={classes['note']}>{note}</dd>}
          </div>
        ))}
      </dl>
    </Card>
  );
}

function tilesOf({ jobs, operations, workers, disk, database, webhooks }: Overview): Tile[] {
  const names = TEXTS.tiles;
  const queued = operations.reduce((sum, operation) => sum + operation.queued, 0);
  const oldestMs = Math.max(0, ...operations.map((operation) => operation.oldestWaitSeconds)) * 1_000;
  return [
    { label: names.perMinute, value: formatNumber(Number(jobs.perMinute.toFixed(1))) },
    {
      label: names.failed,
      value: formatNumber(jobs.failed),
      note: TEXTS.ofEnded(formatNumber(jobs.ended)),
      isBad: jobs.failed > 0,
    },
    { label: names.p50, value: time(jobs.p50Ms) },
    { label: names.p99, value: time(jobs.p99Ms) },
    {
      label: names.queued,
      value: formatNumber(queued),
      ...(queued > 0 && { note: TEXTS.oldest(formatDuration(oldestMs)) }),
    },
    { label: names.workers, value: formatNumber(workers.length), isBad: workers.length === 0 },
    {
      label: names.disk,
      value: disk.freeBytes === null ? TEXTS.unknown : formatBytes(disk.freeBytes),
      isBad: disk.freeBytes === null,
    },
    {
      label: names.database,
      value: formatBytes(database.sizeBytes),
      note: TEXTS.connections(database.connections, database.maxConnections),
    },
    {
      label: names.webhooks,
      value: formatNumber(webhooks.due),
      note: TEXTS.pending(formatNumber(webhooks.pending)),
    },
  ];
}
