import type { ImageDecoder } from './decoder/image-decoder.js';
import type { ImageEncoder } from './encoder/image-encoder.js';

/** Decodes the sources and encodes the results of a worker. */
export class ImageCodecs {
  constructor(
    readonly decoder: ImageDecoder,
    readonly encoder: ImageEncoder,
  ) {}

  /** Stops the decoder and encoder processes. */
  async close(): Promise<void> {
    await Promise.all([this.decoder.close(), this.encoder.close()]);
  }
}
