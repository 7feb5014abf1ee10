import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';

/** A job that comes back later than that has not been refused all the time: its server was away, for example. */
const FORGET_MS = 300_000;

interface Wait {
  readonly sinceMs: number;
  readonly lastMs: number;
}

/**
 * How long inference servers have refused jobs, as far as this worker has seen. A server that is ready may refuse the
 * requests of one job again and again, which would otherwise wait without end.
 */
@Injectable()
export class ServerWaits {
  private readonly waits = new Map<string, Wait>();

  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'tritonMaxOutageMs'>) {}

  /** Notes that a server refused a job. Returns whether it has done so for longer than jobs wait. */
  isTooLong(jobId: string): boolean {
    const nowMs = performance.now();
    for (const [id, { lastMs }] of this.waits) if (nowMs - lastMs > FORGET_MS) this.waits.delete(id);
    const { sinceMs } = this.waits.get(jobId) ?? { sinceMs: nowMs };
    this.waits.set(jobId, { sinceMs, lastMs: nowMs });
    return nowMs - sinceMs >= this.config.tritonMaxOutageMs;
  }
}
