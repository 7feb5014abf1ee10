import { Client } from './client.js';
import type { ClientOptions } from './options.js';
import { NODE_PLATFORM } from './platform/node.js';

export * from './exports.js';

/** A client of the image enhancement service, for Node.js, Deno, and Bun. */
export class ImageEnhancement extends Client {
  /** @throws ImageEnhancementError when there is neither a key nor `credentials` */
  constructor(options: ClientOptions = {}) {
    super(options, NODE_PLATFORM);
  }
}
