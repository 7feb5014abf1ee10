import { availableParallelism } from 'node:os';
import type { InferenceDevice } from './engines/execution-provider.js';
import { Enhancer, type EnhancerOptions } from './enhancer.js';

/** One device of a pool. */
export interface PoolDevice {
  readonly device: InferenceDevice;
  /** Index among the accelerators of its kind; undefined: the runtime's default. */
  readonly index?: number | undefined;
}

export interface EnhancerPoolOptions extends Omit<EnhancerOptions, 'device' | 'index'> {
  readonly devices: readonly PoolDevice[];
}

/** An enhancer that a job uses until it releases it. */
export interface HeldEnhancer {
  readonly enhancer: Enhancer;
  readonly release: () => void;
}

/**
 * Several devices of one worker, each with its own device thread. Every device has all models. A job stays on its first
 * device, which holds its maps. The next job goes to the device with the fewest jobs.
 */
export class EnhancerPool {
  private readonly jobs: number[];

  private constructor(private readonly enhancers: readonly Enhancer[]) {
    this.jobs = enhancers.map(() => 0);
  }

  /** @throws Error with the device that does not load; the other devices are closed */
  static async start({ devices, threads, ...options }: EnhancerPoolOptions): Promise<EnhancerPool> {
    const shared = devices.length > 1 && threads === 0 ? coresFor(devices.length) : threads;
    const starts = await Promise.allSettled(
      devices.map((device) => Enhancer.start({ ...options, ...device, threads: shared })),
    );
    const started = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
    const failed = starts.find((start) => start.status === 'rejected');
    if (failed === undefined) return new EnhancerPool(started);
    await Promise.all(started.map((enhancer) => enhancer.close()));
    throw failed.reason;
  }

  /** The devices, for the log and for operators: `cpu`, or `cuda:0,cuda:1`. */
  get device(): string {
    return this.enhancers.map(({ device }) => device).join(',');
  }

  /** The lowest precision of any stage on each device, for the log. */
  get precision(): string {
    return [...new Set(this.enhancers.map(({ precision }) => precision))].join(',');
  }

  /** Why `auto` did not choose a better provider, for the log. */
  get passedOver(): readonly string[] {
    return this.enhancers.flatMap(({ passedOver }) => passedOver);
  }

  /** Like `Enhancer.away`, for every device. */
  get away(): ReadonlyMap<string, string> {
    return new Map(this.enhancers.flatMap(({ away }) => [...away]));
  }

  /** The enhancer with the fewest running jobs. */
  take(): HeldEnhancer {
    const index = this.jobs.indexOf(Math.min(...this.jobs));
    this.jobs[index]! += 1;
    let isHeld = true;
    const release = (): void => {
      if (isHeld) this.jobs[index]! -= 1;
      isHeld = false;
    };
    return { enhancer: this.enhancers[index]!, release };
  }

  /** Like `Enhancer.warm`, on every device. */
  async warm(): Promise<readonly string[]> {
    return (await Promise.all(this.enhancers.map((enhancer) => enhancer.warm()))).flat();
  }

  async close(): Promise<void> {
    await Promise.all(this.enhancers.map((enhancer) => enhancer.close()));
  }
}

/** Threads of one CPU device among several: together they use each core once. */
function coresFor(count: number): number {
  return Math.max(1, Math.floor(availableParallelism() / count));
}
