import { describe, expect, it } from 'vitest';
import { ensureFlowBuild } from '../roles/flow-build.js';
import { type GpuOrder, renderOnBoth, whyNoWebgpu } from './gpu-render.js';

/** SwiftShader computes hundreds of times slower than the CPU provider. */
const LIMIT_MS = 300_000;

const TILE = { width: 0, height: 0, only: 'tile' } as const;

/**
 * An order for one tile. A software GPU takes many minutes for the fixed-size analyses of most models, so the CPU makes
 * the maps here; `npm run bench -- gpu --device webgpu --pixels 300 --batches 1` compares the whole path.
 */
export const tileOf = (operation: string, level: GpuOrder['level'], channels: 3 | 4 = 3): GpuOrder => ({
  operation,
  level,
  channels,
  ...TILE,
});

/** Compares the pixels of each order. One at a time: two concurrent WebGPU sessions can end each other. */
export function describeWebgpu(orders: readonly GpuOrder[]): void {
  const reason = whyNoWebgpu();
  describe.skipIf(reason !== undefined)(
    `the WebGPU provider over Vulkan without a GPU${reason === undefined ? '' : ` (skipped: ${reason})`}`,
    { timeout: LIMIT_MS + 60_000 },
    () => {
      it.each(orders)('$operation at level $level is within 2 of 255 of the CPU', async (order) => {
        await ensureFlowBuild();
        const { cpu, webgpu } = await renderOnBoth(order, LIMIT_MS);
        expect({ ...webgpu, data: null, device: null }).toEqual({ ...cpu, data: null, device: null });
        expect([cpu.device, webgpu.device]).toEqual(['cpu', 'webgpu']);
        expect(webgpu.data).toHaveLength(cpu.data.length);
        const differences = webgpu.data.map((value, index) => Math.abs(value - cpu.data[index]!));
        expect(Math.max(...differences)).toBeLessThanOrEqual(2);
      });
    },
  );
}
