import type { ModelRoute } from '../models/manifest/model-route.js';
import type { PixelShape, PixelSink, PixelSource } from '../kernel/pixels.js';
import type { Batcher, SubmitOptions } from './batcher.js';
import { returnBuffer } from './buffers/lent-buffers.js';
import { float32Tensor, uint8Tensor } from './tensor.js';
import { TileBlocks, type TileInHand } from './tile-blocks.js';
import { TileGrid } from './tiling/tile-grid.js';

/** The shape of a route's result for an image of this shape. */
export function renderedShape({ render }: ModelRoute, { width, height, channels }: PixelShape): PixelShape {
  const { scale, producesAlpha } = render;
  return { width: width * scale, height: height * scale, channels: producesAlpha ? 4 : channels };
}

export interface RenderJobOptions {
  readonly route: ModelRoute;
  readonly source: PixelSource;
  /** Has the shape that `renderedShape` returns. */
  readonly sink: PixelSink;
  /** Id of the cached analysis, null when the route has none. */
  readonly analysis: number | null;
  /** The owner of the job. Jobs of one owner finish one after the other; several owners share the device. */
  readonly owner?: string | undefined;
  /** Edge of the useful part of a tile, source pixels. Default: the one in the manifest, which is the largest. */
  readonly tile?: number;
  /** Maximum size of a block of tiles in the result, bytes. */
  readonly maxBlockBytes?: number;
}

/**
 * Renders the tiles of one image from a pixel source to a pixel target.
 */
export class RenderJob {
  private readonly grid: TileGrid;
  private readonly blocks: TileBlocks;
  /** Pixels of one of these tiles, relative to a tile of the manifest's size. */
  private readonly share: number;
  private done = 0;
  private stopped = false;

  constructor(
    private readonly batcher: Batcher,
    private readonly options: RenderJobOptions,
  ) {
    const { route, source, sink, tile = route.render.tile, maxBlockBytes } = options;
    const { halo, scale } = route.render;
    this.share = (tile + 2 * halo) ** 2 / (route.render.tile + 2 * halo) ** 2;
    this.grid = new TileGrid(source.width, source.height, tile, halo);
    this.blocks = new TileBlocks(this.grid, source, sink, scale, maxBlockBytes);
  }

  /**
   * Renders every tile. Submits enough tiles at once to keep the device busy, so that the job with the earliest
   * deadline keeps the device, but few enough to bound memory. No tile is pending when the promise settles, so source
   * and target may be closed then.
   */
  async run(signal: AbortSignal | undefined, onProgress: (fraction: number) => void): Promise<void> {
    const { batcher, grid } = this;
    const { route, owner = '' } = this.options;
    const atOnce = batcher.itemsAtOnce(route.render);
    const reservation = batcher.begin(route.render, grid.count * this.share, owner);
    const tiles = this.blocks.tiles(atOnce);
    const failures: unknown[] = [];
    const lane = async (): Promise<void> => {
      try {
        await this.drain(tiles, { signal, reservation, share: this.share }, onProgress);
      } catch (error) {
        failures.push(error);
        this.stopped = true;
        this.blocks.stop();
      }
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
    batcher.end(reservation);
    // The first error is the cause. Later ones may only result from stopping.
    if (failures.length > 0) throw failures[0];
    this.blocks.free();
  }

  /** Runs one lane, which takes the next free tile until none is left. */
  private async drain(
    tiles: AsyncGenerator<TileInHand, undefined, undefined>,
    place: SubmitOptions,
    onProgress: (fraction: number) => void,
  ): Promise<void> {
    for (let next = await tiles.next(); !next.done && !this.stopped; next = await tiles.next()) {
      place.signal?.throwIfAborted();
      await this.render(next.value, place);
      this.done++;
      if (!this.stopped) onProgress(this.done / this.grid.count);
    }
  }

  private async render(inHand: TileInHand, place: SubmitOptions): Promise<void> {
    const { grid, blocks } = this;
    const { route, source, analysis } = this.options;
    const { edge } = grid;
    const tensors = {
      image: uint8Tensor([1, edge, edge, source.channels], blocks.cut(inHand)),
      strength: float32Tensor([1], [route.strength]),
      window: float32Tensor([1, 4], grid.window(inHand.tile)),
    };
    const outputs = await this.batcher.submit(route.render, { tensors, analysis }, place);
    const square = outputs['image']!.data as Uint8Array<ArrayBuffer>;
    const put = blocks.put(inHand, square);
    returnBuffer(square);
    await put;
  }
}
