import { rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { diskFaultCode, refuseFullDisk } from '../../storage/storage-fault.js';
import { openForeign } from '../codec/foreign-file.js';
import { PixelFile } from '../codec/pixel-file.js';
import { assertPixels } from '../codec/refusals.js';
import { checkedMetadata, MAX_METADATA_BYTES } from '../metadata/check-metadata.js';
import type { KeptMetadata, MetadataOrder } from '../metadata/kept-metadata.js';
import { checkedShape } from './check-answer.js';
import { ImageProcessPool, type ImageProcessPoolOptions } from '../process/image-process-pool.js';
import { ImageProcessLost } from '../process/image-process.js';
import { withDecoder } from './with-decoder.js';

/** Chunk size in which a file is sent. */
const CHUNK_BYTES = 256 * 1024;
const METADATA = 'metadata.json';

export interface ImageDecoderOptions extends ImageProcessPoolOptions {
  /** Base time limit for any image; each megapixel adds time. */
  readonly timeoutMs: number;
  readonly timeoutMsPerMegapixel: number;
}

export interface DecodeOptions {
  readonly maxPixels: number;
  readonly expectedPixels: number;
  readonly signal?: AbortSignal | undefined;
  /** What to keep of the metadata. Default: nothing. */
  readonly metadata?: MetadataOrder | undefined;
}

/** A decoded file. */
export interface DecodedFile {
  readonly pixels: PixelFile;
  readonly metadata?: KeptMetadata;
}

/**
 * Decodes untrusted files in processes that hold no secret and crash alone. Their responses are checked, because a
 * malicious file may have taken over its decoder.
 */
export class ImageDecoder {
  readonly pool: ImageProcessPool;

  constructor(private readonly options: ImageDecoderOptions) {
    this.pool = new ImageProcessPool('decoder', options);
  }

  /**
   * Decodes an image to 8-bit sRGB rows in a new file; leaves no file when it throws. See `decodeImage` for color,
   * orientation, and transparency.
   * @param path of the file, on the disk of the pool's `workRoot`
   * @param expectedPixels width × height from the header; the deadline grows with it
   * @param signal kills the decoding process at once
   * @throws AppError `undecodable_image` also when decoding takes too long or crashes the process; the other
   * refusals of `decodeImage`; `service_unavailable` when the disk is full or a process was killed; the
   * reason of the signal
   */
  async decodeToFile(input: Buffer, path: string, options: DecodeOptions): Promise<PixelFile> {
    return (await this.decode(input, path, options)).pixels;
  }

  /** Like `decodeToFile`, but also returns the metadata that the options request. */
  async decode(
    input: Buffer,
    path: string,
    { maxPixels, expectedPixels, signal, metadata }: DecodeOptions,
  ): Promise<DecodedFile> {
    const { timeoutMs, timeoutMsPerMegapixel } = this.options;
    const deadlineMs = Math.ceil(timeoutMs + (timeoutMsPerMegapixel * expectedPixels) / 1e6);
    const file = `${basename(path)}.v`;
    const kept = metadata && { ...metadata, file: METADATA };
    const order = { kind: 'decode', sizeBytes: input.length, maxPixels, file, metadata: kept } as const;
    const tooSlow = `decoding took longer than ${Math.round(deadlineMs / 100) / 10} seconds`;
    return withDecoder(this.pool, { tooSlow, signal }, async ({ process, workDir }) => {
      const answer = await process.ask(order, chunksOf(input), deadlineMs);
      const shape = checkedShape(answer);
      assertPixels(shape.width, shape.height, maxPixels);
      await rename(join(workDir!, file), path).catch(absent);
      const pixels = await PixelFile.adoptForeign(path, shape).catch(absent);
      if (kept === undefined) return { pixels };
      try {
        return { pixels, metadata: await readMetadata(join(workDir!, kept.file)) };
      } catch (error) {
        await pixels.remove();
        throw error;
      }
    }).catch(refuseFullDisk);
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}

/** Reads a file that the process wrote, and deletes it. */
async function readMetadata(path: string): Promise<KeptMetadata> {
  const handle = await openForeign(path, { minBytes: 2, maxBytes: MAX_METADATA_BYTES }).catch(absent);
  try {
    const metadata = checkedMetadata(await handle.readFile('utf8'));
    if (metadata === undefined) throw new ImageProcessLost('unsound', 'left invalid metadata');
    return metadata;
  } finally {
    await handle.close();
    await rm(path, { force: true });
  }
}

/** A missing file is unsound, because the process reported that it had written the file. */
function absent(error: unknown): never {
  if (diskFaultCode(error) !== undefined) throw error;
  throw new ImageProcessLost('unsound', `left no file of the reported shape (${String(error)})`);
}

function* chunksOf(input: Buffer): Generator<Buffer> {
  for (let at = 0; at < input.length; at += CHUNK_BYTES) yield input.subarray(at, at + CHUNK_BYTES);
}
