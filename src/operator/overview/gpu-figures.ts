import type { WorkerLoad } from '../../models/serving/worker-load.js';
import type { GpuFiguresDto } from './overview.dto.js';

/** The GPUs in a report. Unknown values are null. */
export function gpuFigures(load: WorkerLoad | null): GpuFiguresDto[] {
  return (load?.gpus ?? []).map((gpu) => ({
    gpu: gpu.gpu,
    name: gpu.name,
    memoryUsedBytes: gpu.memoryUsedBytes ?? null,
    memoryTotalBytes: gpu.memoryTotalBytes ?? null,
    utilization: gpu.utilization ?? null,
  }));
}
