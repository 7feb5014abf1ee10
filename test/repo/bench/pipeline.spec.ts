import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fileOf } from '../../../scripts/bench/pipeline/graph.mjs';
import { ROOT } from '../../../scripts/lib/paths.mjs';
import { loadCatalog } from '../../../src/models/repository/load-catalog.js';

it('a bare loop runs the file whose precision a job reports', async () => {
  const { render } = (await loadCatalog(join(ROOT, 'models'))).route('upscale', 'low')!;
  expect(fileOf(render, 'int8')).toMatch(/\.int8\.onnx$/);
  expect(fileOf(render, 'float16')).toMatch(/\.fp16\.onnx$/);
  expect(fileOf(render, 'float32')).toBe(render.path);
});
