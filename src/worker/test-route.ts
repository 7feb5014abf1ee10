import type { JobStep } from '../jobs/job-step.js';
import { TEST_MODEL } from '../jobs/test-mode/test-model.js';
import type { ModelRoute } from '../models/manifest/model-route.js';

/** `device` of a drawn job. */
export const TEST_DEVICE = 'test';

/** How a step of a test job is drawn: with the size and the transparency that its model promised. */
export function testRoute({ operation, level, promise, strength = 1 }: JobStep): ModelRoute {
  const scale = promise?.scale ?? 1;
  const producesAlpha = promise?.producesAlpha ?? false;
  return {
    model: TEST_MODEL,
    operation,
    level,
    strength,
    analyse: null,
    render: {
      id: `${operation}/test/render`,
      kind: 'render',
      engine: 'onnx',
      path: '',
      maxBatch: 1,
      maxDelayMs: 0,
      tile: 1,
      halo: 0,
      scale,
      producesAlpha,
    },
    scale,
    producesAlpha,
  };
}
