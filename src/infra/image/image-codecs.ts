import type { ImageDecoder } from './decoder/image-decoder.js';
import type { ImageEncoder } from './encoder/image-encoder.js';

/** What a worker decodes sources and encodes results with. */
export class ImageCodecs {
  constructor(
    readonly decoder: ImageDecoder,
    readonly encoder: ImageEncoder,
  ) {}

  /** Ends their processes. */
  async close(): Promise<void> {
    await Promise.all([this.decoder.close(), this.encoder.close()]);
  }
}
