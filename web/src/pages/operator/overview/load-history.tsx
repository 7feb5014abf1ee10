import { SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { type Span, useLoadHistory } from '../../../api/operator/overview.js';
import type { LoadPoint } from '../../../api/operator/schema.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { Loading } from '../../../components/notices/loading.js';
import { Card } from '../../../components/pages/card.js';
import { formatDateTime, formatDuration, formatNumber, formatPercent } from '../../../lib/format.js';
import { LoadChart } from './load-chart.js';
import classes from './overview.module.css';
import { TEXTS } from './texts.js';

const SPANS = Object.entries(TEXTS.spans).map(([value, label]) => ({ value, label }));

interface Chart {
  readonly name: keyof typeof TEXTS.charts;
  readonly value: (point: LoadPoint) => number | null;
  readonly format: (value: number) => string;
}

const oneDigit = (value: number): string => formatNumber(Number(value.toFixed(1)));
const time = (ms: number): string => (ms === 0 ? '0' : formatDuration(ms));

const CHARTS: readonly Chart[] = [
  { name: 'jobs', value: (point) => point.jobsPerMinute, format: oneDigit },
  { name: 'failed', value: (point) => point.failed, format: formatNumber },
  { name: 'p99', value: (point) => point.p99Ms, format: time },
  { name: 'queued', value: (point) => point.queued, format: formatNumber },
  { name: 'oldest', value: (point) => point.oldestWaitSeconds * 1_000, format: time },
  { name: 'deliveries', value: (point) => point.deliveriesDue, format: formatNumber },
  {
    name: 'gpu',
    value: (point) => point.gpuUtilization,
    format: formatPercent,
  },
];

/** The load of the last hour, day or week. */
export function LoadHistory() {
  const [span, setSpan] = useState<Span>('1h');
  const history = useLoadHistory(span);
  const points = history.data?.points ?? [];
  return (
    <Card
      id="history"
      title={TEXTS.history}
      aside={
        <SegmentedControl
          size="xs"
          aria-label={TEXTS.span}
          data={SPANS}
          value={span}
          onChange={(value) => setSpan(value as Span)}
        />
      }
    >
      {history.isPending && <Loading height={180} />}
      {history.isError && <ErrorState error={history.error} onRetry={() => void history.refetch()} />}
      {history.isSuccess && points.length === 0 && (
        <Text size="sm" c="dimmed">
          {TEXTS.noHistory}
        </Text>
      )}
      {points.length > 0 && (
        <Text size="sm" c="dimmed" mb="md">
          {formatDateTime(points[0]!.at)} – {formatDateTime(points.at(-1)!.at)}
        </Text>
      )}
      {points.length > 0 && (
        <div className={classes['charts']}>
          {CHARTS.filter(({ value }) => points.some((point) => value(point) !== null)).map(
            ({ name, value, format }) => (
              <LoadChart
                key={name}
                label={TEXTS.charts[name]}
                points={points.map((point) => ({ atMs: Date.parse(point.at), value: value(point) }))}
                stepMs={(history.data?.resolution ?? 0) * 1_000}
                format={format}
              />
            ),
          )}
        </div>
      )}
    </Card>
  );
}
