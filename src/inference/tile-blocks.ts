import type { PixelSink, PixelSource, RawImage, Region } from '../kernel/pixels.js';
import { detachBuffer } from './buffers/detach-buffer.js';
import { ResourcePool } from '../kernel/concurrency/resource-pool.js';
import { cutTile } from './tiling/cut-tile.js';
import { pasteTile } from './tiling/paste-tile.js';
import type { Tile, TileBlock, TileGrid } from './tiling/tile-grid.js';

/**
 * Maximum size of a block in the result, bytes. The rows of an image of 4,000 pixels at ×4 fit in one block, so that
 * they are written at once; a wider image is divided into several blocks.
 */
export const MAX_BLOCK_BYTES = 40 * 2 ** 20;
/** One is rendered while the previous one is written. */
export const BLOCKS_AT_ONCE = 2;

/** The buffers into which a block is read and rendered; reused for later blocks. */
interface Buffers {
  seen: Uint8Array;
  drawn: Uint8Array;
}

/** A block whose pixels are in memory. */
interface OpenBlock {
  readonly block: TileBlock;
  readonly buffers: Buffers;
  readonly seen: RawImage;
  readonly seenAt: Region;
  readonly drawn: RawImage;
  tilesLeft: number;
}

/** A tile that a lane is rendering. */
export interface TileInHand {
  readonly tile: Tile;
  readonly open: OpenBlock;
}

/**
 * Divides an image into tiles and joins the rendered ones, one block of tiles at a time. Only two blocks are in memory,
 * regardless of the size of the image; the source and the target hold the rest.
 */
export class TileBlocks {
  private readonly buffers: readonly Buffers[] = Array.from({ length: BLOCKS_AT_ONCE }, () => ({
    seen: new Uint8Array(0),
    drawn: new Uint8Array(0),
  }));
  private readonly slots = new ResourcePool<Buffers>([...this.buffers]);

  constructor(
    private readonly grid: TileGrid,
    private readonly source: PixelSource,
    private readonly sink: PixelSink,
    private readonly scale: number,
    private readonly maxBlockBytes = MAX_BLOCK_BYTES,
  ) {}

  /**
   * Yields every tile, block by block. Each tile must be returned with `put` before the block after the next can begin.
   * @param atOnce how many tiles are wanted concurrently, if memory allows it
   */
  async *tiles(atOnce: number): AsyncGenerator<TileInHand, undefined, undefined> {
    const { grid, scale } = this;
    const tileBytes = (grid.tile * scale) ** 2 * this.sink.channels;
    const most = Math.floor(this.maxBlockBytes / tileBytes);
    for (const block of grid.blocks({ wanted: atOnce, most })) {
      const open = await this.open(block);
      for (const tile of block.tiles) yield { tile, open };
    }
  }

  /** The square from which a tile is rendered, including its halo, in a new buffer. */
  cut({ tile, open: { seen, seenAt } }: TileInHand): Uint8Array<ArrayBuffer> {
    const { halo, edge } = this.grid;
    return cutTile(seen, tile.x - halo - seenAt.x, tile.y - halo - seenAt.y, edge);
  }

  /**
   * Stores a rendered square synchronously; the last one of a block writes the block.
   */
  async put({ tile, open }: TileInHand, square: Uint8Array): Promise<void> {
    const { grid, scale } = this;
    const { block, drawn, buffers } = open;
    const place = { ...tile, x: tile.x - block.x, y: tile.y - block.y };
    pasteTile(drawn, square, place, { edge: grid.edge, halo: grid.halo, scale });
    open.tilesLeft--;
    if (open.tilesLeft > 0) return;
    await this.sink.write(scaled(block, scale), drawn.data);
    this.slots.give(buffers);
  }

  /** Ends the wait of `tiles` for blocks that will never be complete. */
  stop(): void {
    this.slots.refuse(new Error('the render was stopped'));
  }

  /** Frees the memory of all blocks, which must have been written. */
  free(): void {
    for (const { seen, drawn } of this.buffers) {
      detachBuffer(seen);
      detachBuffer(drawn);
    }
  }

  private async open(block: TileBlock): Promise<OpenBlock> {
    const buffers = await this.slots.take();
    const seenAt = this.grid.seenBy(block);
    const seen = imageIn(buffers.seen, seenAt, this.source.channels);
    buffers.seen = seen.buffer;
    const drawn = imageIn(buffers.drawn, scaled(block, this.scale), this.sink.channels);
    buffers.drawn = drawn.buffer;
    await this.source.read(seenAt, seen.image.data);
    const tilesLeft = block.tiles.length;
    return { block, buffers, seen: seen.image, seenAt, drawn: drawn.image, tilesLeft };
  }
}

function scaled({ x, y, width, height }: Region, scale: number): Region {
  return { x: x * scale, y: y * scale, width: width * scale, height: height * scale };
}

/** An image over the given buffer, or over a new one if that is too small. */
function imageIn(
  buffer: Uint8Array,
  { width, height }: Region,
  channels: 3 | 4,
): { buffer: Uint8Array; image: RawImage } {
  const bytes = width * height * channels;
  const enough = buffer.length >= bytes ? buffer : new Uint8Array(bytes);
  return { buffer: enough, image: { data: enough.subarray(0, bytes), width, height, channels } };
}
