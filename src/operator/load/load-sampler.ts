import { Injectable } from '@nestjs/common';
import { SamplesRepository } from './samples.repository.js';

const MINUTE_MS = 60_000;

/** Records the load once a minute. Any number of processes may do so at the same time. */
@Injectable()
export class LoadSampler {
  private lastMinute = -1;

  constructor(private readonly samples: SamplesRepository) {}

  /** Does nothing until the next minute has begun. @throws database errors, after which the next call retries */
  async sampleWhenDue(): Promise<void> {
    const minute = Math.floor(Date.now() / MINUTE_MS);
    if (minute === this.lastMinute) return;
    await this.samples.record();
    this.lastMinute = minute;
  }
}
