import type { ModelRoute } from '../catalog/model-route.js';
import type { RawImage } from '../kernel/pixels.js';
import type { Batcher } from './batcher.js';
import { float32Tensor, uint8Tensor } from './tensor.js';
import { cutTile } from './tiling/cut-tile.js';
import { pasteTile } from './tiling/paste-tile.js';
import { type Tile, TileGrid } from './tiling/tile-grid.js';

/** The tiles of one image on their way through the device, and the result they are pasted into. */
export class RenderJob {
  readonly result: RawImage;
  private readonly grid: TileGrid;
  private done = 0;
  private stopped = false;

  /** @param analysis number of the kept analysis, null when the route has none */
  constructor(
    private readonly batcher: Batcher,
    private readonly route: ModelRoute,
    private readonly image: RawImage,
    private readonly analysis: number | null,
  ) {
    const { tile, halo, scale, producesAlpha } = route.render;
    this.grid = new TileGrid(image.width, image.height, tile, halo);
    const [width, height] = [image.width * scale, image.height * scale];
    const channels = producesAlpha ? 4 : image.channels;
    this.result = { data: new Uint8Array(width * height * channels), width, height, channels };
  }

  /**
   * Renders every tile. Two batches of them are on their way at once: enough to keep the device busy, few
   * enough that memory is bounded and tiles of other jobs come in between. No tile is left behind when it
   * settles, so the pixels may be reused then.
   */
  async run(signal: AbortSignal | undefined, onProgress: (fraction: number) => void): Promise<void> {
    const tiles = this.grid.tiles();
    const lanes = Array.from({ length: 2 * this.batcher.batchSize(this.route.render) }, () =>
      this.drain(tiles, signal, onProgress),
    );
    const ends = await Promise.allSettled(lanes);
    const failure = ends.find((end) => end.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
  }

  /** One lane: takes the next tile that no lane has, until there is none. */
  private async drain(
    tiles: Generator<Tile, undefined, undefined>,
    signal: AbortSignal | undefined,
    onProgress: (fraction: number) => void,
  ): Promise<void> {
    try {
      for (let next = tiles.next(); !next.done && !this.stopped; next = tiles.next()) {
        signal?.throwIfAborted();
        await this.render(next.value, signal);
        this.done++;
        if (!this.stopped) onProgress(this.done / this.grid.count);
      }
    } catch (error) {
      this.stopped = true;
      throw error;
    }
  }

  private async render(tile: Tile, signal: AbortSignal | undefined): Promise<void> {
    const { route, grid, image } = this;
    const { halo, scale } = route.render;
    const { edge } = grid;
    const pixels = cutTile(image, tile.x - halo, tile.y - halo, edge);
    const tensors = {
      image: uint8Tensor([1, edge, edge, image.channels], pixels),
      strength: float32Tensor([1], [route.strength]),
      window: float32Tensor([1, 4], grid.window(tile)),
    };
    const outputs = await this.batcher.submit(route.render, { tensors, analysis: this.analysis }, signal);
    pasteTile(this.result, outputs['image']!.data as Uint8Array, tile, { edge, halo, scale });
  }
}
