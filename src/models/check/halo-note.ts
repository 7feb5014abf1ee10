import { FINITE } from '../compose/finite-probe.js';
import { type RenderStageRef, takesAnyTile } from '../manifest/model-route.js';
import type { Graph } from '../../inference/engines/engine.js';
import { float32Tensor, type NamedTensors, type Tensor, uint8Tensor } from '../../inference/tensor.js';
import { halfTile, type MapShapes, trialInputs } from './trial.js';

/** Smaller differences between two tiles, of 255, are not visible as a seam. */
const MIN_DIFFERENCE = 4;
const CHANNELS = 3;

/**
 * Compares a small tile with the same pixels inside of a full one, whose surroundings are known. Where they differ, the
 * result depends on pixels outside of the small tile. If that reaches past the halo, tiles do not fit together.
 * @param run a graph for inputs of which it needs only some
 * @returns a note on the halo; null if it is large enough, or if tiles of different sizes cannot be compared
 */
export async function haloNote(
  stage: RenderStageRef,
  graph: Graph,
  maps: MapShapes,
  run: (inputs: NamedTensors) => Promise<NamedTensors>,
): Promise<string | null> {
  const { tile, halo, scale, adapter, matte } = stage;
  if (!takesAnyTile(stage) || adapter?.input.size.mode === 'fixed' || matte !== undefined) return null;
  const [edge, small] = [tile + 2 * halo, halfTile(tile) + 2 * halo];
  // A network that shrinks its input gives another result when the offset is not a multiple of its factor.
  const offset = 2 ** Math.floor(Math.log2((edge - small) / 2));
  if (offset < 1) return null;
  const output = graph.outputNames.find((name) => name !== FINITE)!;
  const whole = await run(inputsFor(edge, maps));
  const part = await run(croppedInputs(inputsFor(edge, maps), edge, small, offset));
  const needed = reach(whole[output]!, part[output]!, offset * scale, scale);
  if (needed <= halo) return null;
  const name = stage.id.split('/').at(-1)!;
  return needed >= small / 2 - 1
    ? `halo of the stage ${name}: the result depends on the whole tile, so seams are possible; compare with models sheet`
    : `halo of the stage ${name}: it is ${halo}, but pixels up to ${needed} away change the result, so seams are visible; raise it to ${needed} or more`;
}

/** The pattern of the trials. Maps are the same everywhere, because tiles see different parts of them. */
function inputsFor(edge: number, maps: MapShapes): NamedTensors {
  const inputs = trialInputs({ batch: 1, edge, channels: CHANNELS }, maps);
  const even = Object.keys(maps).map((name) => {
    const { dims, data } = inputs[name]!;
    const value: Tensor = { type: 'float32', dims, data: new Float32Array(data.length).fill(0.5) };
    return [name, value] as const;
  });
  return { ...inputs, ...Object.fromEntries(even) };
}

function croppedInputs(inputs: NamedTensors, edge: number, small: number, offset: number): NamedTensors {
  const from = inputs['image']!.data as Uint8Array;
  const image = new Uint8Array(small * small * CHANNELS);
  for (let y = 0; y < small; y++) {
    const at = ((offset + y) * edge + offset) * CHANNELS;
    image.set(from.subarray(at, at + small * CHANNELS), y * small * CHANNELS);
  }
  const [low, high] = [offset / edge, (offset + small) / edge];
  return {
    ...inputs,
    image: uint8Tensor([1, small, small, CHANNELS], image),
    window: float32Tensor([1, 4], [low, low, high, high]),
  };
}

/** How far from the border of the part the two differ, in source pixels. */
function reach(whole: Tensor, part: Tensor, offset: number, scale: number): number {
  const [, large, , channels] = whole.dims as readonly [number, number, number, number];
  const size = part.dims[1]!;
  let depth = 0;
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const border = Math.min(y, x, size - 1 - y, size - 1 - x) + 1;
      if (border <= depth) continue;
      const [at, other] = [(y * size + x) * channels, ((y + offset) * large + x + offset) * channels];
      for (let channel = 0; channel < channels; channel++)
        if (Math.abs(part.data[at + channel]! - whole.data[other + channel]!) >= MIN_DIFFERENCE)
          depth = border;
    }
  return Math.ceil(depth / scale);
}
