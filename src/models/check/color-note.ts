import { FINITE } from '../compose/finite-probe.js';
import type { RenderStageRef } from '../manifest/model-route.js';
import type { Graph } from '../../inference/engines/engine.js';
import { type NamedTensors, uint8Tensor } from '../../inference/tensor.js';
import { type MapShapes, trialInputs } from './trial.js';

const CHANNELS = 3;
/** Values of the picture, of 255: far from black and white. */
const [DARKEST, BRIGHTEST] = [48, 207];
/** Values this close to black or white count as cut off. */
const MARGIN = 2;
const MAX_CUT_OFF = 0.5;
/** Red and blue are swapped if the swapped result is closer to the picture by this factor. */
const CLEARLY = 2;

/**
 * Renders a smooth picture of medium brightness whose red and blue run in opposite directions. A manifest with a wrong
 * range or order of channels has valid shapes, but the result is black, white or in wrong colors.
 * @param run a graph for inputs of which it needs only some
 * @returns a note on the colors; null if they are right, or if the stage has no adapter for an RGB image
 */
export async function colorNote(
  stage: RenderStageRef,
  graph: Graph,
  maps: MapShapes,
  run: (inputs: NamedTensors) => Promise<NamedTensors>,
): Promise<string | null> {
  const { tile, halo, scale, adapter } = stage;
  if (adapter?.output.meaning !== 'image') return null;
  const edge = tile + 2 * halo;
  const picture = smoothPicture(edge);
  const inputs = trialInputs({ batch: 1, edge, channels: CHANNELS }, maps);
  const image = uint8Tensor([1, edge, edge, CHANNELS], picture);
  const output = graph.outputNames.find((name) => name !== FINITE)!;
  const result = (await run({ ...inputs, image }))[output]!.data as Uint8Array;
  const name = stage.id.split('/').at(-1)!;
  const cutOff = result.filter((value) => value <= MARGIN || value >= 255 - MARGIN).length / result.length;
  if (cutOff > MAX_CUT_OFF)
    return `range of the stage ${name}: a picture of medium brightness becomes black or white in ${Math.round(100 * cutOff)}% of its values; correct range, mean and std of its input, and range of its output`;
  const own = difference(picture, result, edge, scale, [0, 1, 2]);
  const swapped = difference(picture, result, edge, scale, [2, 1, 0]);
  return own > CLEARLY * swapped
    ? `channels of the stage ${name}: red and blue are swapped in its result; correct channels of its input or of its output`
    : null;
}

/** RGB: red rises from left to right, green from top to bottom, blue from right to left. */
function smoothPicture(edge: number): Uint8Array<ArrayBuffer> {
  const picture = new Uint8Array(edge * edge * CHANNELS);
  const shade = (at: number): number => DARKEST + ((BRIGHTEST - DARKEST) * at) / Math.max(1, edge - 1);
  for (let y = 0; y < edge; y++)
    for (let x = 0; x < edge; x++)
      picture.set([shade(x), shade(y), shade(edge - 1 - x)], (y * edge + x) * CHANNELS);
  return picture;
}

/** Mean difference of the picture and its result, with the channels of the result in another order. */
function difference(
  picture: Uint8Array,
  result: Uint8Array,
  edge: number,
  scale: number,
  order: readonly number[],
): number {
  let sum = 0;
  for (let y = 0; y < edge; y++)
    for (let x = 0; x < edge; x++) {
      const from = (y * scale * edge * scale + x * scale) * CHANNELS;
      for (const [channel, other] of order.entries())
        sum += Math.abs(picture[(y * edge + x) * CHANNELS + channel]! - result[from + other]!);
    }
  return sum / picture.length;
}
