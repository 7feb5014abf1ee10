import { createReadStream } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AppError } from '../../../kernel/app-error.js';
import { diskFaultCode, refuseFullDisk } from '../../storage/storage-fault.js';
import type { ImageHeader } from '../header.js';
import { PixelFile } from '../pixel-file.js';
import { assertPixels, damaged } from '../refusals.js';
import { checkedHeader, checkedShape } from './check-answer.js';
import { type Decoder, DecoderPool, type DecoderPoolOptions } from './decoder-pool.js';
import { DecoderLost } from './decoder-process.js';

/** Chunks in which a file is handed over. */
const CHUNK_BYTES = 256 * 1024;
/** Time to read a header; no decoder needs more than milliseconds. */
const HEADER_MS = 10_000;
/** A process that somebody killed is no fault of the file; a fresh one tries once more. */
const ATTEMPTS = 2;
const RETRY_AFTER_SECONDS = 30;

export interface ImageDecoderOptions extends DecoderPoolOptions {
  /** Time that decoding any image may take, and each megapixel on top of it. */
  readonly timeoutMs: number;
  readonly timeoutMsPerMegapixel: number;
}

/**
 * Decodes what strangers sent in processes that hold no secret and end of a fault alone. What they answer is checked:
 * a decoder may be in the hands of whoever made the file.
 */
export class ImageDecoder {
  readonly pool: DecoderPool;

  constructor(private readonly options: ImageDecoderOptions) {
    this.pool = new DecoderPool(options);
  }

  /**
   * Reads the header of the file at a path; no pixel is decoded for it.
   * @throws AppError `undecodable_image`, `unsupported_media_type`, `animated_image`, `too_many_pixels`;
   * `service_unavailable` when no process is free or one was killed
   */
  async readHeader(path: string, { maxPixels }: { maxPixels: number }): Promise<ImageHeader> {
    const { size: sizeBytes } = await stat(path);
    const order = { kind: 'header', sizeBytes, maxPixels } as const;
    return this.attempt(async ({ process }) => {
      const input = createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>;
      const header = checkedHeader(await process.ask(order, input, HEADER_MS));
      assertPixels(header.width, header.height, maxPixels);
      return header;
    }, HEADER_MS);
  }

  /**
   * Decodes an image to 8-bit sRGB rows in a new file; nothing is left of it when this throws. See `decodeImage` for
   * what becomes of color, orientation and transparency.
   * @param path of the file, on the disk of the pool's `workRoot`
   * @param expectedPixels width × height as known from the header; the deadline grows with it
   * @throws AppError `undecodable_image` also when decoding takes too long or ends the process; the other refusals of
   * `decodeImage`; `service_unavailable` when the disk is full or a process was killed
   */
  async decodeToFile(
    input: Buffer,
    path: string,
    { maxPixels, expectedPixels }: { maxPixels: number; expectedPixels: number },
  ): Promise<PixelFile> {
    const { timeoutMs, timeoutMsPerMegapixel } = this.options;
    const deadlineMs = Math.ceil(timeoutMs + (timeoutMsPerMegapixel * expectedPixels) / 1e6);
    const file = `${basename(path)}.v`;
    const order = { kind: 'decode', sizeBytes: input.length, maxPixels, file } as const;
    return this.attempt(async ({ process, workDir }) => {
      const answer = await process.ask(order, chunksOf(input), deadlineMs);
      const shape = checkedShape(answer);
      assertPixels(shape.width, shape.height, maxPixels);
      await rename(join(workDir!, file), path).catch(absent);
      return PixelFile.adoptForeign(path, shape).catch(absent);
    }, deadlineMs).catch(refuseFullDisk);
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private async attempt<T>(work: (decoder: Decoder) => Promise<T>, deadlineMs: number): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.pool.use(async (decoder) => {
          try {
            return await work(decoder);
          } catch (error) {
            // A process that lied is as good as lost.
            if (error instanceof DecoderLost) decoder.process.kill();
            throw error;
          }
        });
      } catch (error) {
        if (!(error instanceof DecoderLost)) throw error;
        if (error.how === 'killed' && attempt < ATTEMPTS) continue;
        throw refusalOfLoss(error, deadlineMs);
      }
    }
  }
}

/** It said that it had written a file of this shape. */
function absent(error: unknown): never {
  if (diskFaultCode(error) !== undefined) throw error;
  throw new DecoderLost('unsound', `left no file of the shape it stated (${String(error)})`);
}

function refusalOfLoss(loss: DecoderLost, deadlineMs: number): AppError {
  if (loss.how === 'deadline')
    return damaged(`decoding it takes longer than ${Math.round(deadlineMs / 100) / 10} seconds`, loss);
  if (loss.how !== 'killed') return damaged('its decoder failed', loss);
  return new AppError('service_unavailable', {
    detail: 'The service ran out of memory while it decoded the image. Nothing was charged; try again later.',
    internal: loss.message,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: loss,
  });
}

function* chunksOf(input: Buffer): Generator<Buffer> {
  for (let at = 0; at < input.length; at += CHUNK_BYTES) yield input.subarray(at, at + CHUNK_BYTES);
}
