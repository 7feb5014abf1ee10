import { t } from '@lingui/core/macro';
import type { GpuFigures } from '../../api/operator/schema.js';
import { Meter } from '../../components/status/meter.js';
import { formatBytes, formatPercent } from '../../lib/format.js';

export interface GpuMeterProps {
  readonly gpu: GpuFigures;
}

/** The memory and utilization of a GPU. Renders nothing if they are unknown. */
export function GpuMeter({ gpu }: GpuMeterProps) {
  const { memoryUsedBytes, memoryTotalBytes, utilization } = gpu;
  if (memoryUsedBytes === null || memoryTotalBytes === null) return null;
  const device = `${gpu.name} ${gpu.gpu}`;
  const share = formatPercent(utilization ?? 0);
  return (
    <Meter
      label={t`Memory of ${device}`}
      value={memoryUsedBytes}
      limit={memoryTotalBytes}
      format={formatBytes}
      {...(utilization !== null && { note: t`${share} busy` })}
    />
  );
}
