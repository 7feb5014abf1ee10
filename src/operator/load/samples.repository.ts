import { Injectable } from '@nestjs/common';
import { Database } from '../../infra/database/database.js';
import { PRUNE, READ, RECORD, ROLL_UP } from './samples.sql.js';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

/** Lengths of the stored periods, and how long they are kept. */
export const RESOLUTIONS = [
  { seconds: 60, keptSeconds: 2 * DAY_SECONDS },
  { seconds: 600, keptSeconds: 14 * DAY_SECONDS },
  { seconds: HOUR_SECONDS, keptSeconds: 400 * DAY_SECONDS },
] as const;

export type Resolution = (typeof RESOLUTIONS)[number]['seconds'];

/** The load of one period. */
export interface LoadSample {
  /** Start of the period. */
  readonly at: Date;
  /** Jobs that ended, canceled ones included. */
  readonly jobs: number;
  readonly failed: number;
  /** Completed jobs by latency bucket; see `quantileMs`. */
  readonly latencies: readonly number[];
  /** Waiting jobs: at the end of a minute, or the peak of a longer period. */
  readonly queued: number;
  readonly oldestWaitSeconds: number;
  readonly workers: number;
  /** 0–1, the mean of all GPUs; null without GPUs. */
  readonly gpuUtilization: number | null;
  readonly gpuMemoryBytes: number | null;
  readonly deliveriesDue: number;
}

/** The load history. */
@Injectable()
export class SamplesRepository {
  constructor(private readonly database: Database) {}

  /**
   * Stores the minute that ended last, and sums complete periods. Does nothing if another process has done it.
   * Minutes without a running dispatcher are missing.
   */
  async record(): Promise<void> {
    const recorded = await this.database.query(RECORD);
    if (recorded.length === 0) return;
    const [minute, tenMinutes, hour] = RESOLUTIONS;
    await this.database.query(ROLL_UP, [tenMinutes.seconds, minute.seconds, DAY_SECONDS]);
    await this.database.query(ROLL_UP, [hour.seconds, tenMinutes.seconds, 2 * DAY_SECONDS]);
    for (const { seconds, keptSeconds } of RESOLUTIONS)
      await this.database.query(PRUNE, [seconds, keptSeconds]);
  }

  /** The samples of the last `spanSeconds`, oldest first. */
  read(resolution: Resolution, spanSeconds: number): Promise<LoadSample[]> {
    return this.database.query<LoadSample>(READ, [resolution, spanSeconds]);
  }
}
