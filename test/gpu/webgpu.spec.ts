import { beforeAll, describe, expect, it } from 'vitest';
import { probeDevice } from '../../src/inference/device/probe-device.js';
import { ensureFlowBuild } from '../support/roles/flow-build.js';
import { type GpuOrder, renderOn, whyNoWebgpu } from '../support/models/gpu-render.js';

const reason = whyNoWebgpu();

/** SwiftShader computes hundreds of times slower than the CPU provider. */
const LIMIT_MS = 300_000;

/** One, two and four tiles. */
const ORDERS: readonly GpuOrder[] = [
  { operation: 'upscale', level: 'low', width: 10, height: 9, channels: 4 },
  { operation: 'upscale', level: 'medium', width: 5, height: 7, channels: 3 },
  { operation: 'upscale', level: 'high', width: 9, height: 5, channels: 3 },
  { operation: 'auto_enhance', level: 'medium', width: 10, height: 9, channels: 4 },
];

/**
 * A software GPU takes many minutes for their fixed-size analyses, so the CPU makes the maps here; `npm run bench --
 * gpu --device webgpu --pixels 300 --batches 1` compares the whole path.
 */
const TILES: readonly GpuOrder[] = [
  { operation: 'smooth_skin', level: 'medium', width: 0, height: 0, channels: 3, mapsOn: 'cpu' },
  { operation: 'bg_remove', level: 'low', width: 0, height: 0, channels: 3, mapsOn: 'cpu' },
  { operation: 'bg_remove', level: 'medium', width: 0, height: 0, channels: 4, mapsOn: 'cpu' },
];

/** One at a time: two concurrent WebGPU sessions can end each other. */
describe.skipIf(reason !== undefined)(
  `the WebGPU provider over Vulkan without a GPU${reason === undefined ? '' : ` (skipped: ${reason})`}`,
  { timeout: LIMIT_MS + 60_000 },
  () => {
    beforeAll(() => ensureFlowBuild());

    it.each([...ORDERS, ...TILES])(
      '$operation at level $level is within 2 of 255 of the CPU',
      async (order) => {
        const expected = await renderOn('cpu', order, 60_000);
        const result = await renderOn('webgpu', order, LIMIT_MS);
        expect({ ...result, data: null, device: null }).toEqual({ ...expected, data: null, device: null });
        expect([expected.device, result.device]).toEqual(['cpu', 'webgpu']);
        const differences = result.data.map((value, index) => Math.abs(value - expected.data[index]!));
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
