import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RenderStageRef } from '../../src/models/manifest/model-route.js';
import { GraphWriter } from '../../src/models/compose/graph-writer.js';
import { cast } from '../../src/models/compose/operators.js';
import { FINITE } from '../../src/models/compose/finite-probe.js';
import { readVersion } from '../../src/models/repository/read-version.js';
import { writeVersion } from '../../src/models/testing/tiny-models.js';
import { OnnxEngine } from '../../src/inference/engines/onnx-engine.js';
import { type ModelsDir, temporaryModels } from '../support/models/models-dir.js';
import { openProbed } from '../../src/models/check/probed-graph.js';
import { InsufficientResources } from '../../src/models/check/runtime-text.js';

const CPU = { provider: 'cpu', threads: 1, isGuess: false } as const;

let models: ModelsDir;
beforeEach(async () => {
  models = await temporaryModels();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await models.remove();
});

/** A stage whose file takes and returns bytes: it converts them to floats and back. */
async function stage(opset: number): Promise<RenderStageRef> {
  const g = new GraphWriter(opset, '');
  const image = g.input('image', 'uint8', ['N', 'H', 'W', 'C']);
  g.output(cast(g, cast(g, image, 'float32'), 'uint8'), 'result', 'uint8', ['N', 'H', 'W', 'C']);
  const folder = await writeVersion({
    modelsDir: models.path,
    operation: 'denoise',
    files: { 'm.onnx': g.model(8) },
    stages: { clean: { kind: 'render', file: 'm.onnx', tile: 16, halo: 0, scale: 1 } },
  });
  return (await readVersion(folder)).routes.low.render;
}

describe('openProbed', () => {
  it('adds an output for finite numbers, and never holds two graphs', async () => {
    let [held, most] = [0, 0];
    const engine = new OnnxEngine(CPU);
    const open = engine.open.bind(engine);
    vi.spyOn(OnnxEngine.prototype, 'open').mockImplementation(async (source) => {
      const graph = await open(source);
      most = Math.max(most, (held += 1));
      return {
        inputNames: graph.inputNames,
        outputNames: graph.outputNames,
        run: (inputs) => graph.run(inputs),
        release: async () => {
          held -= 1;
          await graph.release();
        },
      };
    });
    const { graph, composed } = await openProbed(await stage(17), 'fp32', CPU);
    expect({ most, held, composed }).toEqual({ most: 1, held: 1, composed: false });
    expect(graph.outputNames).toEqual(['result', FINITE]);
    await graph.release();
  });

  it('refuses temporarily what loads but cannot be probed', async () => {
    // In opset 6, the runtime has a cast but no multiplication.
    const old = await stage(6);
    const plain = await new OnnxEngine(CPU).open({ kind: 'file', path: old.path });
    await plain.release();
    const refusal = openProbed(old, 'fp32', CPU);
    await expect(refusal).rejects.toThrow(InsufficientResources);
    await expect(refusal).rejects.toThrow(
      /^whether the numbers of the stage clean are finite cannot be checked \(.*Mul.*\); raise MODEL_CHECK_MEMORY_BYTES, or export/,
    );
  });

  it("passes on the runtime's error for a file that does not load at all", async () => {
    const gone = await stage(17);
    await rm(gone.path);
    await expect(openProbed(gone, 'fp32', CPU)).rejects.not.toThrow(InsufficientResources);
  });
});
