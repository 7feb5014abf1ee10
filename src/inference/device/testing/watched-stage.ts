import assert from 'node:assert/strict';
import { join } from 'node:path';
import { loadCatalog } from '../../../models/repository/load-catalog.js';
import type { RenderStageRef } from '../../../models/manifest/model-route.js';
import { float32Tensor, type NamedTensors, uint8Tensor } from '../../tensor.js';
import { Capacity } from '../capacity.js';
import type { DeviceOutcome, RunReport } from '../device-port.js';
import { LoadedStage } from '../stages/loaded-stage.js';
import { StageRunner } from '../stages/stage-runner.js';
import { type Feed, WatchedEngine } from './watched-engine.js';

export const OUT_OF_MEMORY =
  'bfc_arena.cc:376 Failed to allocate memory for requested buffer of size 2147483648';
const catalog = await loadCatalog(join(import.meta.dirname, '../../../../models'));
export const committed = catalog.route('upscale', 'low')!.render;
export const ref: RenderStageRef = { ...committed, tile: 31, maxBatch: 8 };
export const edge = ref.tile + 2 * ref.halo;

/** Pixels that differ from each other and between items. */
function item(seed: number): NamedTensors {
  const pixels = new Uint8Array(edge * edge * 3).map((_, index) => (index * 7 + (index >> 6) * seed) & 255);
  return {
    image: uint8Tensor([1, edge, edge, 3], pixels),
    strength: float32Tensor([1], [1]),
    window: float32Tensor([1, 4], [0, 0, 1, 1]),
  };
}

export interface Stage {
  readonly runner: StageRunner;
  readonly engine: WatchedEngine;
  readonly reports: RunReport[];
}

export async function stage(
  refuse?: (feed: Feed) => string | undefined,
  changeMs?: number,
  nowMs?: () => number,
): Promise<Stage> {
  const engine = new WatchedEngine(refuse, changeMs);
  const reports: RunReport[] = [];
  const loaded = await LoadedStage.load(engine, { ref, mapSets: [{}] });
  const capacity = new Capacity(loaded.shapes.batchSizes, nowMs);
  return { engine, reports, runner: new StageRunner(loaded, (report) => reports.push(report), capacity) };
}

/** The useful part of each result. */
function useful(outcomes: readonly DeviceOutcome[]): number[][] {
  const [from, to] = [ref.halo * ref.scale, (ref.halo + ref.tile) * ref.scale];
  return outcomes.map((outcome) => {
    if (!outcome.ok) throw new Error(outcome.message);
    const { data, dims } = outcome.tensors['image']!;
    const stride = dims[2]! * 3;
    return Array.from({ length: to - from }, (_, row) => [
      ...data.subarray((from + row) * stride + from * 3, (from + row) * stride + to * 3),
    ]).flat();
  });
}

export const seeds = [1, 2, 3, 4, 5, 6, 7];
export const items = seeds.map(item);
const whole = useful(await (await stage()).runner.run(items));

export function expectTheSame(outcomes: readonly DeviceOutcome[]): void {
  const pixels = useful(outcomes);
  assert.equal(pixels.length, whole.length);
  for (const [index, values] of pixels.entries()) {
    const off = values.reduce((most, value, at) => Math.max(most, Math.abs(value - whole[index]![at]!)), 0);
    assert.ok(off <= 1, `item ${index} is off by ${off}`);
  }
}
