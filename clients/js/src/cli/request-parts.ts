import type { Output } from '../generated/schema.js';
import type { ImageEnhancement } from '../node.js';
import type { CommandLine } from './arguments.js';
import type { JobTerms } from '../jobs/order.js';

/** The parts of a request that come from the options and do not depend on the operation. */
export class RequestParts {
  private background: Promise<Output['background'] | undefined> | undefined;

  constructor(
    private readonly client: ImageEnhancement,
    private readonly line: CommandLine,
    private readonly signal: AbortSignal,
  ) {}

  /** Options for the jobs. */
  terms(): Pick<JobTerms, 'cache' | 'callbackUrl' | 'cancelAfter' | 'expiresIn'> {
    const { cache, callbackUrl, cancelAfter, expiresIn } = this.line;
    return {
      ...(cache === undefined ? {} : { cache }),
      ...(callbackUrl === undefined ? {} : { callbackUrl }),
      ...(cancelAfter === undefined ? {} : { cancelAfter }),
      ...(expiresIn === undefined ? {} : { expiresIn }),
    };
  }

  /** Uploads a background picture only once for all images. */
  async output(): Promise<{ output?: Output }> {
    const { format, options } = this.line;
    const background = await (this.background ??= this.uploadBackground());
    const given: Output = {
      ...(format === undefined ? {} : { format }),
      ...options.output,
      ...(background === undefined ? {} : { background }),
    };
    return Object.keys(given).length === 0 ? {} : { output: given };
  }

  /** A color is used as it is. */
  private async uploadBackground(): Promise<Output['background'] | undefined> {
    const { background, backgroundFit: fit } = this.line.options;
    if (background === undefined || background.startsWith('#')) return background;
    const { url: sourceUrl } = await this.client.upload(background, {
      signal: this.signal,
      direct: this.line.direct,
    });
    return fit === undefined ? { sourceUrl } : { sourceUrl, fit };
  }
}
