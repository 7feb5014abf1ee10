import { plural, t } from '@lingui/core/macro';
import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import '@mantine/core/styles/ColorSwatch.css';
import { Text } from '@mantine/core';
import type { UsageHistory } from '../../api/schema.js';
import { formatNumber } from '../../lib/format.js';
import { CHART_HEIGHT, CHART_MARGIN, dayData, sum } from './chart-data.js';
import { NothingYet } from './nothing-yet.js';

export interface DayChartProps {
  readonly history: UsageHistory;
}

/** Enhancements per day, stacked by key. The table contains the same numbers. */
export function DayChart({ history }: DayChartProps) {
  const { series, days } = dayData(history);
  if (series.length === 0) return <NothingYet text={t`No enhancements in this period.`} />;
  return (
    <figure style={{ margin: 0 }} aria-label={t`Enhancements per day by key. The Table tab has the numbers.`}>
      <div aria-hidden>
        <BarChart
          h={CHART_HEIGHT}
          data={days as Record<string, string | number>[]}
          dataKey="day"
          type="stacked"
          series={[...series]}
          withLegend={series.length > 1}
          tickLine="none"
          gridAxis="x"
          valueFormatter={formatNumber}
          barChartProps={{ accessibilityLayer: false, margin: CHART_MARGIN }}
          barProps={{ isAnimationActive: false, maxBarSize: 36 }}
          yAxisProps={{ allowDecimals: false, width: 44 }}
        />
      </div>
      <Text size="sm" c="dimmed" component="figcaption" mt="xs">
        {t`${plural(sum(history.enhancements), { one: '# enhancement', other: '# enhancements' })} in ${history.days.length} days. Failed and canceled jobs don't count.`}
      </Text>
    </figure>
  );
}
