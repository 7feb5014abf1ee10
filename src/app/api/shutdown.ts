import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';

/** Whether this process has been told to end. `/health/ready` then answers 503, so that load balancers send no more. */
@Injectable()
export class Shutdown {
  private begun = false;

  get hasBegun(): boolean {
    return this.begun;
  }

  /** Announces the end and serves on for `delayMs`, the time that load balancers take to notice. */
  async announce(delayMs: number): Promise<void> {
    this.begun = true;
    await sleep(delayMs);
  }
}
