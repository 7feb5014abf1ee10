import { Text } from '@mantine/core';
import { formatDateTime } from '../../../lib/format.js';
import { type ChartPoint, chartPaths, HEIGHT, WIDTH } from './chart-paths.js';
import classes from './overview.module.css';
import { TEXTS } from './texts.js';

export interface LoadChartProps {
  readonly label: string;
  /** Oldest first; never empty. */
  readonly points: readonly ChartPoint[];
  /** Points farther apart than this are not connected. */
  readonly stepMs: number;
  readonly format: (value: number) => string;
}

/** One figure over time. The line has gaps where nothing was recorded. */
export function LoadChart({ label, points, stepMs, format }: LoadChartProps) {
  const known = points.flatMap(({ value }) => (value === null ? [] : [value]));
  const newest = points.at(-1)?.value ?? null;
  const last = newest === null ? '–' : format(newest);
  const peak = Math.max(0, ...known);
  const { line, area, dots } = chartPaths(points, stepMs);
  const [from, until] = [points[0]!, points.at(-1)!].map(({ atMs }) =>
    formatDateTime(new Date(atMs).toISOString()),
  );
  const summary = `${label}: ${last}, ${TEXTS.peak(format(peak))}, ${from} – ${until}`;
  return (
    <figure className={classes['chart']}>
      <figcaption>
        <Text size="sm" fw={500} component="span">
          {label}
        </Text>
        <Text size="sm" component="span" className={classes['last']}>
          <b>{last}</b> <span className={classes['peak']}>{TEXTS.peak(format(peak))}</span>
        </Text>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={summary}
        className={classes['plot']}
      >
        <path d={area} className={classes['area']} />
        <path d={line} className={classes['line']} vectorEffect="non-scaling-stroke" />
        <path d={dots} className={classes['dots']} vectorEffect="non-scaling-stroke" />
      </svg>
    </figure>
  );
}
