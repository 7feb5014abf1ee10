import { expect, it } from 'vitest';
import { probeDevice } from '../../src/inference/device/probe-device.js';
import { whyNoWebgpu } from '../support/models/gpu-render.js';
import { describeWebgpu, tileOf } from '../support/models/webgpu-orders.js';
import { ensureFlowBuild } from '../support/roles/flow-build.js';

describeWebgpu([
  // Four tiles. Before them, each graph runs in four other shapes.
  { operation: 'upscale', level: 'low', width: 10, height: 9, channels: 4 },
  tileOf('bg_remove', 'low'),
]);

it.skipIf(whyNoWebgpu() !== undefined)(
  'the WebGPU provider is refused with a clear message where there is no driver',
  async () => {
    await ensureFlowBuild();
    expect(await probeDevice({ provider: 'webgpu' }, { VK_ICD_FILENAMES: '/none.json' })).toMatch(
      /No supported adapters/,
    );
  },
);
