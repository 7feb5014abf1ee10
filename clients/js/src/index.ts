import { Client } from './client.js';
import type { ClientOptions } from './options.js';
import { WEB_PLATFORM } from './platform/web.js';

export * from './exports.js';

/** A client of the image enhancement service, for browsers and other runtimes without files. */
export class ImageEnhancement extends Client {
  /** @throws ImageEnhancementError when there is neither a key nor `credentials` */
  constructor(options: ClientOptions = {}) {
    super(options, WEB_PLATFORM);
  }
}
