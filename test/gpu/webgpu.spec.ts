import { beforeAll, describe, expect, it } from 'vitest';
import { probeDevice } from '../../src/inference/device/probe-device.js';
import { ensureFlowBuild } from '../support/roles/flow-build.js';
import { type GpuOrder, renderOnBoth, whyNoWebgpu } from '../support/models/gpu-render.js';

const reason = whyNoWebgpu();

/** SwiftShader computes hundreds of times slower than the CPU provider. */
const LIMIT_MS = 300_000;

/** Four tiles, and one with an analysis. Before them, each graph runs in four other shapes. */
const WHOLE: readonly GpuOrder[] = [
  { operation: 'upscale', level: 'low', width: 10, height: 9, channels: 4 },
  { operation: 'auto_enhance', level: 'medium', width: 7, height: 5, channels: 4 },
];

const TILE = { width: 0, height: 0, only: 'tile' } as const;

/**
 * A software GPU takes many minutes for the fixed-size analyses of most, so the CPU makes the maps here; `npm run bench
 * -- gpu --device webgpu --pixels 300 --batches 1` compares the whole path.
 */
const TILES: readonly GpuOrder[] = [
  { operation: 'upscale', level: 'medium', channels: 3, ...TILE },
  { operation: 'upscale', level: 'high', channels: 3, ...TILE },
  { operation: 'smooth_skin', level: 'medium', channels: 3, ...TILE },
  { operation: 'bg_remove', level: 'low', channels: 3, ...TILE },
  { operation: 'bg_remove', level: 'medium', channels: 4, ...TILE },
];

/** One at a time: two concurrent WebGPU sessions can end each other. */
describe.skipIf(reason !== undefined)(
  `the WebGPU provider over Vulkan without a GPU${reason === undefined ? '' : ` (skipped: ${reason})`}`,
  { timeout: LIMIT_MS + 60_000 },
  () => {
    beforeAll(() => ensureFlowBuild());

    it.each([...WHOLE, ...TILES])(
      '$operation at level $level is within 2 of 255 of the CPU',
      async (order) => {
        const { cpu, webgpu } = await renderOnBoth(order, LIMIT_MS);
        expect({ ...webgpu, data: null, device: null }).toEqual({ ...cpu, data: null, device: null });
        expect([cpu.device, webgpu.device]).toEqual(['cpu', 'webgpu']);
        expect(webgpu.data).toHaveLength(cpu.data.length);
        const differences = webgpu.data.map((value, index) => Math.abs(value - cpu.data[index]!));
        expect(Math.max(...differences)).toBeLessThanOrEqual(2);
      },
    );

    it('is refused with a clear message where there is no driver', async () => {
      await ensureFlowBuild();
      expect(await probeDevice({ provider: 'webgpu' }, { VK_ICD_FILENAMES: '/none.json' })).toMatch(
        /No supported adapters/,
      );
    });
  },
);
