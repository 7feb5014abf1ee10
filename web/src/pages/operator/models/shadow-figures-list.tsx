import { plural, t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { useShadowFigures } from '../../../api/operator/models.js';
import type { ShadowFigures } from '../../../api/operator/schema.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { Loading } from '../../../components/notices/loading.js';
import { Notice } from '../../../components/notices/notice.js';
import { formatDecimal, formatDuration, formatNumber, formatPrecisePercent } from '../../../lib/format.js';
import classes from './models-page.module.css';

export interface ShadowFiguresListProps {
  readonly operation: string;
  readonly version: number;
}

const NONE = '–';

/** The results of the comparisons so far. */
export function ShadowFiguresList({ operation, version }: ShadowFiguresListProps) {
  const figures = useShadowFigures(operation, version);
  if (figures.isError) return <ErrorState error={figures.error} onRetry={() => void figures.refetch()} />;
  if (figures.isPending) return <Loading height={110} />;
  const { measure, failed, lost, isPaused, lastFailure, serving } = figures.data;
  return (
    <>
      <dl className={classes['figures']} aria-label={t`Since the shadow run started`}>
        {namedFigures(figures.data).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {measure !== null && (
        <Text size="xs" c="dimmed">
          {measure === 'color'
            ? t`Mean absolute difference of the colors from those of version ${serving}, in percent of full scale.`
            : t`How much of the subject is not in both cutouts: 100% less the overlap (IoU) with version ${serving}.`}
        </Text>
      )}
      {failed > 0 && lastFailure !== null && (
        <Notice tone="warn" title={t`The version failed jobs that the other one did not`}>
          {lastFailure}
        </Notice>
      )}
      {lost > 0 && (
        <Notice
          tone="warn"
          title={plural(lost, {
            one: '# worker ended during a run of this version',
            other: '# workers ended during a run of this version',
          })}
        >
          {isPaused && t`No more jobs are compared. To continue, stop the shadow run and start it again.`}
        </Notice>
      )}
    </>
  );
}

function namedFigures(figures: ShadowFigures): readonly (readonly [string, string])[] {
  const { compared, dropped, failed, medianPercent, worstPercent, psnrDb, measure } = figures;
  const { servingMs, shadowMs, timeRatio } = figures;
  const times = (value: number): string => `${formatDecimal(value, 2)} ×`;
  return [
    [t`Jobs compared`, formatNumber(compared)],
    [t`Dropped`, formatNumber(dropped)],
    [t`Failed`, formatNumber(failed)],
    [t`Median difference`, percentText(medianPercent)],
    [t`Largest difference`, percentText(worstPercent)],
    ...(measure === 'color'
      ? [['PSNR', psnrDb === null ? t`Equal` : `${formatDecimal(psnrDb, 1)} dB`] as const]
      : []),
    [t`Inference time`, timeRatio === null ? NONE : times(timeRatio)],
    [
      t`On average`,
      servingMs === null || shadowMs === null
        ? NONE
        : `${formatDuration(servingMs)} → ${formatDuration(shadowMs)}`,
    ],
  ];
}

function percentText(percent: number | null): string {
  return percent === null ? NONE : formatPrecisePercent(percent / 100);
}
