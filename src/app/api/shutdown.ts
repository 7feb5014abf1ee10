import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';

/**
 * Whether this process is shutting down. `/health/ready` then responds with 503, so that load balancers stop sending
 * requests.
 */
@Injectable()
export class Shutdown {
  private begun = false;

  get hasBegun(): boolean {
    return this.begun;
  }

  /** Announces the shutdown and keeps serving for `delayMs`, until load balancers have noticed. */
  async announce(delayMs: number): Promise<void> {
    this.begun = true;
    await sleep(delayMs);
  }
}
