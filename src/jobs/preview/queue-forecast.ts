import { Injectable } from '@nestjs/common';
import { SECONDS_PER_JOB } from '../queue/queue-work.repository.js';
import { type AccountWork, QueueForecastRepository, type Speed } from './queue-forecast.repository.js';

/** The longer the queue, the more it costs to read it, so all requests share one reading. */
const MAX_AGE_MS = 1_000;

/** A job whose end is to be estimated. */
export interface ExpectedJob {
  readonly accountId: string;
  /** Whether it is in a batch, which starts after all jobs of the account that already wait. Default false. */
  readonly isBatch?: boolean;
  /** The steps of the job, and the pixels that each starts with. */
  readonly steps: readonly { readonly operation: string; readonly level: string; readonly pixels: number }[];
  /** How many jobs have these steps; several workers share them. Default 1. */
  readonly jobs?: number;
}

interface Reading {
  readonly work: readonly AccountWork[];
  readonly speed: Speed;
}

/** Estimates when a new job would be completed. */
@Injectable()
export class QueueForecast {
  private reading: Promise<Reading> | undefined;
  private readAtMs = -Infinity;

  constructor(private readonly repository: QueueForecastRepository) {}

  /** Seconds from creation to completion; null while no worker is serving. */
  async secondsOf(job: ExpectedJob): Promise<number | null> {
    const { work, speed } = await this.read();
    return estimatedSeconds(job, work, speed);
  }

  private read(): Promise<Reading> {
    if (this.reading !== undefined && performance.now() - this.readAtMs <= MAX_AGE_MS) return this.reading;
    this.readAtMs = performance.now();
    const reading = Promise.all([this.repository.work(), this.repository.speed()]).then(([work, speed]) => ({
      work,
      speed,
    }));
    // A failed reading is not kept.
    reading.catch(() => (this.reading = undefined));
    this.reading = reading;
    return reading;
  }
}

/** The same as in `TURN_PRICE` in SQL. */
const MIN_PRICE = 250_000;

/**
 * In start-time fair queueing, every queue is served as many pixels as the queue of the job, or all that it has waiting,
 * before the job starts. An account has one queue for single jobs and one for batches.
 */
export function estimatedSeconds(
  { accountId, isBatch = false, steps, jobs = 1 }: ExpectedJob,
  work: readonly AccountWork[],
  speed: Speed,
): number | null {
  if (speed.workers === 0) return null;
  const own = work.filter((each) => each.accountId === accountId && (isBatch || !each.isBatch));
  const share =
    sum(own.map(({ price }) => price)) + Math.max(sum(steps.map(({ pixels }) => pixels)), MIN_PRICE);
  const aheadSeconds = work.map(
    (each) =>
      each.runningSeconds + each.waitingSeconds * (each.price === 0 ? 0 : Math.min(1, share / each.price)),
  );
  const seconds = steps.map(
    ({ operation, level, pixels }) =>
      pixels * (speed.rates[`${operation}/${level}`] ?? speed.secondsPerPixel),
  );
  const ownSeconds = (sum(seconds) + jobs * SECONDS_PER_JOB) / Math.min(speed.workers, jobs);
  return Math.ceil((sum(aheadSeconds) / speed.workers + ownSeconds) * 10) / 10;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
