import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import type { Prepared, Queryable } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';

const QUEUED_PIXELS: Prepared = {
  name: 'queue_gauge',
  text: `SELECT coalesce(sum(source_pixels), 0)::float8 AS pixels FROM jobs WHERE status = 'queued'`,
};

const MAX_AGE_MS = 1_000;
const RETRY_AFTER_SECONDS = 30;

/** How full the queue is, read at most once a second: a bound against collapse, not an exact counter. */
@Injectable()
export class QueueGauge {
  private pixels = 0;
  /** Of a clock that nobody sets back: else the gauge would only rise until that time came again. */
  private readAtMs = -Infinity;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** @throws AppError `service_unavailable` when so many pixels wait that one more would wait too long */
  async admit(on: Queryable, pixels: number): Promise<void> {
    if (performance.now() - this.readAtMs > MAX_AGE_MS) {
      this.readAtMs = performance.now();
      const [row] = await on.query<{ pixels: number }>(QUEUED_PIXELS);
      this.pixels = row!.pixels;
    }
    if (this.pixels + pixels > this.config.queueMaxPixels) {
      throw new AppError('service_unavailable', {
        detail: 'The queue is full. No job was created or charged. Try again later.',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    }
    this.pixels += pixels;
  }

  /** Takes back what was admitted and then not created. */
  withdraw(pixels: number): void {
    this.pixels -= pixels;
  }
}
