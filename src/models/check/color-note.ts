import { FINITE } from '../compose/finite-probe.js';
import { type RenderStageRef, takesAnyTile } from '../manifest/model-route.js';
import type { Graph } from '../../inference/engines/engine.js';
import { float32Tensor, type NamedTensors, uint8Tensor } from '../../inference/tensor.js';
import { halfTile, type MapShapes, trialInputs } from './trial.js';

const CHANNELS = 3;
/** Values of the picture, of 255: far from black and white. */
const [DARKEST, BRIGHTEST] = [48, 207];
/** Values this close to black or white count as cut off. */
const MARGIN = 2;
const MAX_CUT_OFF = 0.5;
/** A larger mean change is not the correction of a picture, which is already smooth and of medium brightness. */
const MAX_RESIDUAL = 60;
/** Red and blue are swapped if the swapped result is closer to the picture by this factor. */
const CLEARLY = 2;

/**
 * Renders a smooth picture of medium brightness whose red and blue run in opposite directions. A manifest with a wrong
 * range or order of channels has valid shapes, but the result is black, white or in wrong colors.
 * @param run a graph for inputs of which it needs only some
 * @returns a note on the colors; null if they are right, or if the stage has no adapter for an image or a residual
 */
export async function colorNote(
  stage: RenderStageRef,
  graph: Graph,
  maps: MapShapes,
  run: (inputs: NamedTensors) => Promise<NamedTensors>,
): Promise<string | null> {
  const { tile, halo, scale, adapter } = stage;
  const meaning = adapter?.output.meaning;
  if (meaning !== 'image' && meaning !== 'residual') return null;
  // Colors need no full tile, which takes several times as long.
  const edge = (takesAnyTile(stage) ? halfTile(tile) : tile) + 2 * halo;
  const picture = smoothPicture(edge);
  // At a lower strength, a stage may mix the picture into a result that is black.
  const strength = float32Tensor([1], [1]);
  const inputs = trialInputs({ batch: 1, edge, channels: CHANNELS }, maps);
  const image = uint8Tensor([1, edge, edge, CHANNELS], picture);
  const output = graph.outputNames.find((name) => name !== FINITE)!;
  const result = (await run({ ...inputs, strength, image }))[output]!.data as Uint8Array;
  const name = stage.id.split('/').at(-1)!;
  const cutOff = cutOffShare(result);
  if (cutOff > MAX_CUT_OFF)
    return `range of the stage ${name}: a picture of medium brightness becomes black or white in ${Math.round(100 * cutOff)}% of its values; correct range, mean and std of its input, and range and meaning of its output`;
  const own = difference(picture, result, { edge, scale, isSwapped: false });
  // A residual is added to the picture, which hides a swap. An image that is added to it is another picture.
  if (meaning === 'residual')
    return own > MAX_RESIDUAL
      ? `range of the stage ${name}: its residual changes a smooth picture by ${Math.round(own)} of 255 on average; correct range, mean and std of its input, and range and meaning of its output`
      : null;
  const swapped = difference(picture, result, { edge, scale, isSwapped: true });
  return own > CLEARLY * swapped
    ? `channels of the stage ${name}: red and blue are swapped in its result; correct channels of its input or of its output`
    : null;
}

/** RGB: red rises from left to right, green from top to bottom, blue from right to left. */
function smoothPicture(edge: number): Uint8Array<ArrayBuffer> {
  const picture = new Uint8Array(edge * edge * CHANNELS);
  const rising = new Uint8Array(edge);
  for (let at = 0; at < edge; at++)
    rising[at] = DARKEST + ((BRIGHTEST - DARKEST) * at) / Math.max(1, edge - 1);
  for (let y = 0, at = 0; y < edge; y++)
    for (let x = 0; x < edge; x++) {
      picture[at++] = rising[x]!;
      picture[at++] = rising[y]!;
      picture[at++] = rising[edge - 1 - x]!;
    }
  return picture;
}

/** The share of values that are black or white. */
function cutOffShare(result: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < result.length; at++)
    if (result[at]! <= MARGIN || result[at]! >= 255 - MARGIN) count += 1;
  return count / result.length;
}

/** Mean difference of the picture and its result, with red and blue of the result as they are or swapped. */
function difference(
  picture: Uint8Array,
  result: Uint8Array,
  { edge, scale, isSwapped }: { readonly edge: number; readonly scale: number; readonly isSwapped: boolean },
): number {
  const [red, blue] = isSwapped ? [2, 0] : [0, 2];
  let sum = 0;
  for (let y = 0, at = 0; y < edge; y++)
    for (let x = 0; x < edge; x++, at += CHANNELS) {
      const from = (y * scale * edge * scale + x * scale) * CHANNELS;
      sum += Math.abs(picture[at]! - result[from + red]!);
      sum += Math.abs(picture[at + 1]! - result[from + 1]!);
      sum += Math.abs(picture[at + 2]! - result[from + blue]!);
    }
  return sum / picture.length;
}
