import type { StageRef } from '../../../models/manifest/model-route.js';
import { smallestTile } from '../../tiling/fitting-tile.js';
import { float32Tensor, type NamedTensors, shapeText, type Tensor, zeros } from '../../tensor.js';
import { batchSizes } from './batch-sizes.js';
import { pieceTile } from './tile-pieces.js';

export type MapSet = Readonly<Record<string, readonly number[]>>;

/** The square images that a stage accepts, without the batch axis. */
export interface ImageShape {
  /** Pixels along each side. */
  readonly edge: number;
  readonly channels: 3 | 4;
}

/**
 * The shapes of a stage. They are a closed set, because a GPU would tune or compile for any other shape while a job
 * waits. A CPU also accepts smaller tiles, which fit an image better.
 */
export class StageShapes {
  /** Ascending. */
  readonly batchSizes: readonly number[];
  /** Edge of a whole tile, or of the input of an analyse stage. */
  readonly edge: number;
  /** Edge of a quarter of a tile with its halo; null when tiles cannot be divided. */
  readonly pieceEdge: number | null;

  /**
   * @param largestBatch upper bound for the stage's own `maxBatch`
   * @param takesSmaller whether smaller tiles are also accepted
   */
  constructor(
    private readonly ref: StageRef,
    largestBatch: number,
    readonly takesSmaller = false,
  ) {
    const cap = Math.min(ref.maxBatch, largestBatch);
    // A server batches on its own, so its batches are not padded.
    this.batchSizes =
      ref.remote === undefined ? batchSizes(cap) : Array.from({ length: cap }, (_, at) => at + 1);
    this.edge = ref.kind === 'analyse' ? ref.size : ref.tile + 2 * ref.halo;
    this.pieceEdge =
      ref.kind === 'analyse' || ref.remote !== undefined || pieceTile(ref) === ref.tile
        ? null
        : pieceTile(ref) + 2 * ref.halo;
  }

  /** Shapes of whole items. An analyse stage gets no alpha. */
  get whole(): readonly ImageShape[] {
    const channels = this.ref.kind === 'analyse' ? ([3] as const) : ([3, 4] as const);
    return channels.map((count) => ({ edge: this.edge, channels: count }));
  }

  /** The shape that takes the least time to run. */
  get least(): ImageShape {
    const [whole] = this.whole as readonly [ImageShape, ...ImageShape[]];
    if (!this.takesSmaller || this.ref.kind === 'analyse') return whole;
    return { ...whole, edge: smallestTile(this.ref) + 2 * this.ref.halo };
  }

  /** Shapes of the pieces of a tile. */
  get pieces(): readonly ImageShape[] {
    const edge = this.pieceEdge;
    return edge === null ? [] : this.whole.map(({ channels }) => ({ edge, channels }));
  }

  /** @throws RangeError when the image is not in the set, or does not fill its shape */
  shapeOf(image: Tensor | undefined): ImageShape {
    const known = [...this.whole, ...this.pieces];
    const shape = [...known, ...this.smaller(image)].find((candidate) =>
      sameDims(imageDims(candidate), image?.dims ?? []),
    );
    if (image?.type === 'uint8' && shape !== undefined && isWhole(image)) return shape;
    const found =
      image === undefined ? 'nothing' : `${shapeText(image.type, image.dims)} of ${image.data.length}`;
    const wanted = this.whole.map((candidate) => shapeText('uint8', imageDims(candidate))).join(' or ');
    throw new RangeError(`the image must be ${wanted}, not ${found}`);
  }

  private smaller(image: Tensor | undefined): readonly ImageShape[] {
    const edge = image?.dims[1] ?? 0;
    const { ref } = this;
    if (!this.takesSmaller || ref.kind === 'analyse' || edge <= 2 * ref.halo || edge >= this.edge) return [];
    return this.whole.map(({ channels }) => ({ edge, channels }));
  }

  /** An item of zeros. */
  blank(shape: ImageShape, maps: MapSet): NamedTensors {
    return {
      image: zeros('uint8', imageDims(shape)),
      strength: float32Tensor([1], [0.5]),
      window: float32Tensor([1, 4], [0, 0, 1, 1]),
      ...Object.fromEntries(
        Object.entries(maps).map(([name, dims]) => [name, zeros('float32', [1, ...dims])]),
      ),
    };
  }
}

/** Whether the number of elements of a tensor matches its shape. */
export function isWhole(tensor: Tensor): boolean {
  return tensor.data.length === tensor.dims.reduce((product, dim) => product * dim, 1);
}

export function sameDims(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((dim, axis) => dim === b[axis]);
}

function imageDims({ edge, channels }: ImageShape): readonly number[] {
  return [1, edge, edge, channels];
}
