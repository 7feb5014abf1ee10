import { describe, expect, it, vi } from 'vitest';
import { GpuMetrics } from './gpu-metrics.js';
import { parseGpuUsage } from './gpu-usage.js';
import { Metrics } from '../metrics.js';

const LINES = '0, NVIDIA H200, 1024, 143771, 37\n1, NVIDIA H200 MIG 1g.18gb, 12, 18000, [N/A]\n';

describe('parseGpuUsage', () => {
  it('reads memory in bytes, and utilization from 0 to 1', () => {
    expect(parseGpuUsage(LINES)).toEqual([
      {
        gpu: '0',
        name: 'NVIDIA H200',
        memoryUsedBytes: 1024 * 2 ** 20,
        memoryTotalBytes: 143_771 * 2 ** 20,
        utilization: 0.37,
      },
      {
        gpu: '1',
        name: 'NVIDIA H200 MIG 1g.18gb',
        memoryUsedBytes: 12 * 2 ** 20,
        memoryTotalBytes: 18_000 * 2 ** 20,
        utilization: undefined,
      },
    ]);
  });

  it('ignores other lines', () => {
    expect(parseGpuUsage('No devices were found\n')).toEqual([]);
    expect(parseGpuUsage('')).toEqual([]);
  });
});

describe('GpuMetrics', () => {
  it('exports each known figure, from one reading', async () => {
    const metrics = new Metrics('worker');
    let readings = 0;
    void new GpuMetrics(metrics, async () => {
      readings += 1;
      return parseGpuUsage(LINES);
    });
    const text = await metrics.text();
    expect(text).toMatch(
      /^ies_gpu_memory_used_bytes\{gpu="0",name="NVIDIA H200",role="worker"\} 1073741824$/m,
    );
    expect(text).toMatch(/^ies_gpu_memory_total_bytes\{gpu="1",.*\} 18874368000$/m);
    expect(text).toMatch(/^ies_gpu_utilization_ratio\{gpu="0",.*\} 0\.37$/m);
    expect(text).not.toMatch(/^ies_gpu_utilization_ratio\{gpu="1"/m);
    expect(readings).toBe(1);
  });

  it('asks again after a failed reading', async () => {
    const metrics = new Metrics('worker');
    let usage = parseGpuUsage('');
    void new GpuMetrics(metrics, async () => usage);
    expect(await metrics.text()).not.toMatch(/^ies_gpu_memory_used_bytes\{/m);
    usage = parseGpuUsage(LINES);
    const later = performance.now() + 6_000;
    vi.spyOn(performance, 'now').mockImplementation(() => later);
    try {
      expect(await metrics.text()).toMatch(/^ies_gpu_memory_used_bytes\{gpu="0"/m);
    } finally {
      vi.restoreAllMocks();
    }
  });

  it('stops asking after it finds no driver', async () => {
    const metrics = new Metrics('worker');
    let readings = 0;
    void new GpuMetrics(metrics, async () => {
      readings += 1;
      return undefined;
    });
    for (let round = 0; round < 3; round += 1)
      expect(await metrics.text()).not.toMatch(/^ies_gpu_memory_used_bytes\{/m);
    expect(readings).toBe(1);
  });
});
