import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { ImageHeader } from '../containers/image-header.js';
import { assertPixels } from '../codec/refusals.js';
import { checkedHeader } from './check-answer.js';
import type { ImageProcessPool } from '../process/image-process-pool.js';
import { withDecoder } from './with-decoder.js';

/** Chunk size in which a file is sent. */
const CHUNK_BYTES = 256 * 1024;
/** Time limit for reading a header. The process itself limits its CPU time to far less. */
const HEADER_MS = 10_000;
const TOO_SLOW = 'its header and metadata take too long to read';

/** The library may read slightly beyond the header. */
const READ_AHEAD_BYTES = 64 * 1024;

export interface HeaderLimits {
  readonly maxPixels: number;
  /** The end of the header, if known. The rest of the file is then not sent. */
  readonly headerBytes?: number | undefined;
}

/** Reads the headers of untrusted files in processes that hold no secret; see `ImageDecoder`. */
export class HeaderReader {
  constructor(readonly pool: ImageProcessPool) {}

  /**
   * Reads the header of a file to which nothing is written any longer. Decodes no pixels.
   * @throws AppError `undecodable_image`, `unsupported_media_type`, `hdr_image`, `animated_image`, `too_many_pixels`;
   * `service_unavailable` when too many files wait or the process was killed
   */
  async read(path: string, { maxPixels, headerBytes }: HeaderLimits): Promise<ImageHeader> {
    const { size } = await stat(path);
    const sizeBytes = headerBytes === undefined ? size : Math.min(size, headerBytes + READ_AHEAD_BYTES);
    const order = { kind: 'header', sizeBytes, maxPixels } as const;
    return withDecoder(this.pool, { tooSlow: TOO_SLOW }, async ({ process }) => {
      const input = createReadStream(path, {
        highWaterMark: CHUNK_BYTES,
        // `end` is inclusive, and an empty file has no last byte.
        end: Math.max(0, sizeBytes - 1),
      }) as AsyncIterable<Buffer>;
      const header = checkedHeader(await process.ask(order, input, HEADER_MS));
      assertPixels(header.width, header.height, maxPixels);
      return header;
    });
  }
}
