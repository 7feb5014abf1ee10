import type { Output } from '../generated/schema.js';
import type { ImageEnhancement } from '../node.js';
import type { CommandLine } from './arguments.js';
import type { JobTerms } from '../jobs/order.js';
import { requestedOutput } from './preset-output.js';
import { SharedValue } from './shared-value.js';

/** The parts of a request that come from the options and do not depend on the operation. */
export class RequestParts {
  private readonly background = new SharedValue(() => this.uploadBackground());
  private readonly whole = new SharedValue(async () => this.over(await this.given()));

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

  /** The output of the request. Uploads a background picture, and reads a preset, only once for all images. */
  async output(): Promise<{ output?: Output }> {
    const output = await this.whole.get();
    return output === undefined ? {} : { output };
  }

  /** The output of a request for which the options say this. */
  over(given: Output): Promise<Output | undefined> {
    return requestedOutput(this.client, this.line.work.order.preset, given, this.signal);
  }

  /** What the options say. Empty if they say nothing. */
  async given(): Promise<Output> {
    const { format, options } = this.line;
    const background = await this.background.get();
    return {
      ...(format === undefined ? {} : { format }),
      ...options.output,
      ...(background === undefined ? {} : { background }),
    };
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
