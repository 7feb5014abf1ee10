import { t } from '@lingui/core/macro';
import { AreaChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { Text } from '@mantine/core';
import type { UsageHistory } from '../../api/schema.js';
import { formatBytes, formatShortDay } from '../../lib/format.js';
import { byteTicks } from './byte-ticks.js';
import { CHART_HEIGHT, CHART_MARGIN } from './chart-data.js';

export interface StorageChartProps {
  readonly history: UsageHistory;
}

/** Stored bytes at the end of each day. */
export function StorageChart({ history }: StorageChartProps) {
  const data = history.days.map((day, at) => ({
    day: formatShortDay(day),
    bytes: history.storageBytes[at] ?? 0,
  }));
  const ticks = byteTicks(Math.max(0, ...history.storageBytes));
  return (
    <figure
      style={{ margin: 0 }}
      aria-label={t`Storage at the end of each day. The Table tab has the numbers.`}
    >
      <div aria-hidden>
        <AreaChart
          h={CHART_HEIGHT}
          data={data}
          dataKey="day"
          series={[{ name: 'bytes', label: t`Storage`, color: 'accent.6' }]}
          curveType="monotone"
          withDots={false}
          tickLine="none"
          gridAxis="x"
          valueFormatter={formatBytes}
          areaChartProps={{ accessibilityLayer: false, margin: CHART_MARGIN }}
          areaProps={{ isAnimationActive: false }}
          yAxisProps={{ width: 72, ticks: [...ticks], domain: [0, ticks.at(-1) ?? 0] }}
        />
      </div>
      <Text size="sm" c="dimmed" component="figcaption" mt="xs">
        {t`Sources and results at the end of each day.`}
      </Text>
    </figure>
  );
}
