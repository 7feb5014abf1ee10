import {
  elementCount,
  float32Tensor,
  type NamedTensors,
  type Tensor,
  uint8Tensor,
} from '../../inference/tensor.js';
import { type StageRef, takesAnyTile } from '../manifest/model-route.js';

/** The shape of one dry run. */
export interface Trial {
  readonly batch: number;
  /** Width and height of the graph's input, pixels. */
  readonly edge: number;
  readonly channels: 3 | 4;
  /** Of the first item; default: the pattern. */
  readonly content?: PlainContent;
}

export type PlainContent = 'black' | 'white';

/** Of the fine pattern, values. */
const PERIOD = 23;

/** What each item of a batch shows; undefined: a pattern of its own. */
const CONTENTS: readonly (PlainContent | undefined)[] = [undefined, 'black', 'white'];

/** Contents that a batch of this size does not have. */
export function missingContents(batch: number): readonly PlainContent[] {
  return CONTENTS.slice(batch).filter((content) => content !== undefined);
}

/** As a shape: `4×272×272×3`, or `1×272×272×3 in white`. */
export function trialText({ batch, edge, channels, content }: Trial): string {
  const shape = [batch, edge, edge, channels].join('×');
  return content === undefined ? shape : `${shape} in ${content}`;
}

/** Half of a tile, as a multiple of 8, because some graphs need one. Tiles are halved when memory is scarce. */
export function halfTile(tile: number): number {
  return Math.ceil(tile / 2 / 8) * 8;
}

/** Width and height of the largest input of a stage, pixels. */
export function edgeOf(stage: StageRef): number {
  return stage.kind === 'analyse' ? stage.size : stage.tile + 2 * stage.halo;
}

/**
 * Every size that the stage may get, with 3 and 4 channels. Of size, channels and batch, each pair of values occurs, which
 * takes half the time of all combinations. The largest input is among them, so that the check needs as much memory.
 */
export function trialsOf(stage: StageRef): readonly Trial[] {
  const batch = stage.maxBatch;
  if (stage.kind === 'analyse') return [{ batch, edge: stage.size, channels: 3 }];
  const half = halfTile(stage.tile);
  const edge = edgeOf(stage);
  if (!takesAnyTile(stage) || half >= stage.tile)
    return ([3, 4] as const).map((channels) => ({ batch, edge, channels }));
  const small = half + 2 * stage.halo;
  return [
    { batch: 1, edge, channels: 3 },
    { batch, edge, channels: 4 },
    { batch, edge: small, channels: 3 },
    { batch: 1, edge: small, channels: 4 },
  ];
}

/** The maps of a render graph by name: shapes without the batch axis. */
export type MapShapes = Readonly<Record<string, readonly number[]>>;

/**
 * Inputs of a dry run: the first item of a batch is the same pattern in every batch, followed by black, white, and
 * other patterns, so that an item that affects its neighbors is detected.
 */
export function trialInputs(trial: Trial, maps: MapShapes): NamedTensors {
  const { batch, edge, channels, content } = trial;
  const size = edge * edge * channels;
  const image = new Uint8Array(batch * size);
  for (let item = 0; item < batch; item++)
    paint(image.subarray(item * size, (item + 1) * size), item, edge * channels, content ?? CONTENTS[item]);
  return {
    image: uint8Tensor([batch, edge, edge, channels], image),
    strength: float32Tensor(
      [batch],
      Array.from({ length: batch }, () => 0.7),
    ),
    window: float32Tensor([batch, 4], Array.from({ length: batch }, () => [0, 0, 1, 1]).flat()),
    ...Object.fromEntries(Object.entries(maps).map(([name, dims]) => [name, mapOf([batch, ...dims])])),
  };
}

function paint(item: Uint8Array, index: number, stride: number, content: PlainContent | undefined): void {
  if (content !== undefined) {
    item.fill(content === 'black' ? 0 : 255);
    return;
  }
  // Gradients, so that a network sees something like a picture, with a fine pattern on top.
  const step = (7 + 2 * index) % PERIOD;
  let fine = 0;
  for (let row = 0, at = 0; at < item.length; row++)
    for (let x = 0; x < stride; x++, at++) {
      item[at] = (row + x / 4 + fine + 40 * index) & 255;
      fine = (fine + step) % PERIOD;
    }
}

/** Values from 0 to 1 that vary by position and are the same in each item. */
function mapOf(dims: readonly number[]): Tensor {
  const size = elementCount(dims.slice(1));
  const data = new Float32Array(elementCount(dims));
  for (let at = 0; at < size; at++) data[at] = (at % 97) / 96;
  for (let item = size; item < data.length; item += size) data.copyWithin(item, 0, size);
  return { type: 'float32', dims, data };
}
