import type { DeviceLostError } from '../../device-fault.js';
import { Device, type DeviceListeners, type HostOptions } from '../device.js';
import type { DeviceItem, DeviceOutcome, DeviceStart, CachedAnalysis } from '../device-port.js';
import type { Precision } from '../../../models/compose/compose-stage.js';
import { lowestPrecision } from '../../engines/precision.js';
import { streamedProvider, streamThreads } from './stream-threads.js';

/** A device thread and its state. */
interface Stream {
  readonly device: Device;
  /** Stages that the stream lacks. The first stream has all. */
  readonly lacks: ReadonlySet<string>;
  /** Analyses whose maps the stream holds. */
  readonly analyses: Set<number>;
  underway: number;
}

/**
 * First and maximum delay before a stream that failed to start is retried. Memory is scarce while two workers run.
 */
const REOPEN_PAUSE_MS = 5_000;
const MAX_REOPEN_PAUSE_MS = 300_000;

export interface DeviceStreamsStart extends Omit<DeviceStart, 'isPartial'>, HostOptions {
  /** First delay before a stream that failed to start is retried; doubles each time. */
  readonly reopenPauseMs?: number;
}

/**
 * A device with its threads, called streams as in OpenVINO. On a CPU, the streams share the cores: several runs with
 * one thread each use them better than one run with several threads, which wait for each other after every operator. On
 * a GPU, one stream computes while another one copies pixels. Each stream loads the models. The output of an analysis
 * is copied to all streams, so the tiles of one job run on all of them.
 */
export class DeviceStreams {
  private readonly streams: Stream[] = [];
  private opening: Promise<void> = Promise.resolve();
  private reopening: NodeJS.Timeout | undefined;
  private isClosing = false;
  private isLost = false;

  private constructor(
    private readonly options: DeviceStreamsStart,
    private readonly listeners: Omit<DeviceListeners, 'onCached'>,
  ) {}

  /**
   * Starts the first stream, which can take work; `warm` starts the others.
   * @param options `streams` is the maximum, never more than threads
   * @throws Error with the stage that does not load and its provider
   */
  static async start(
    options: DeviceStreamsStart,
    listeners: Omit<DeviceListeners, 'onCached'>,
  ): Promise<DeviceStreams> {
    const { streams } = streamThreads(options);
    const group = new DeviceStreams({ ...options, streams }, listeners);
    await group.open(options.device);
    return group;
  }

  /** Number of parallel runs. */
  get count(): number {
    return this.streams.length;
  }

  /** See `Device.provider`. The same for every stream. */
  get provider(): string {
    return this.first.provider;
  }

  get providers(): Readonly<Record<string, string>> {
    return this.first.providers;
  }

  get passedOver(): readonly string[] {
    return this.first.passedOver;
  }

  /** The precision of each stage, by id. */
  get precisions(): Readonly<Record<string, Precision>> {
    return this.first.precisions;
  }

  get resizable(): readonly string[] {
    return this.first.resizable;
  }

  get largestBatch(): number {
    return this.first.largestBatch;
  }

  /** Like `Device.run`, on the stream with the fewest runs. */
  async run(stageId: string, items: readonly DeviceItem[]): Promise<readonly DeviceOutcome[]> {
    const stream = this.freest(stageId, items);
    stream.underway++;
    try {
      return await stream.device.run(stageId, items);
    } finally {
      stream.underway--;
    }
  }

  /**
   * Starts the remaining streams and warms all of them while the device is idle. A stream that fails to start is
   * retried later. If the files of some stages no longer exist, the stream starts without those stages.
   * @returns a message for each stage that does not run and each stream that does not start; the others take over its
   * work
   */
  async warm(): Promise<readonly string[]> {
    const failures: string[] = [];
    this.opening = this.openOthers().catch((error: unknown) => {
      this.openLater(this.options.reopenPauseMs ?? REOPEN_PAUSE_MS);
      failures.push(`${this.have()} run, another is tried again: ${(error as Error).message}`);
    });
    await this.opening;
    const leftOut = this.streams.flatMap(({ device }) => device.leftOut);
    for (const { message } of leftOut)
      failures.push(`${this.have()} run, not all stages on each: ${message}`);
    const broken = await Promise.all(this.streams.map(({ device }) => device.warm()));
    return [...new Set([...broken.flat(), ...failures])];
  }

  /** Like `Device.cache`, on every stream, for the output of an analysis that ran elsewhere. */
  cache(cached: CachedAnalysis): void {
    for (const { device, analyses } of this.streams) {
      analyses.add(cached.analysis);
      device.cache(cached);
    }
  }

  /** Like `Device.forget`, on every stream. */
  forget(analysis: number): void {
    for (const { device, analyses } of this.streams) {
      device.forget(analysis);
      analyses.delete(analysis);
    }
  }

  /** Like `Device.close`, for every stream. */
  async close(): Promise<void> {
    this.isClosing = true;
    clearTimeout(this.reopening);
    await this.opening;
    await Promise.all(this.streams.map(({ device }) => device.close()));
  }

  private get first(): Device {
    return this.streams[0]!.device;
  }

  private async openOthers(): Promise<void> {
    const provider = streamedProvider(this.provider, this.providers);
    if (provider === undefined) return;
    while (this.count < this.options.streams && !this.isClosing) await this.open(provider);
  }

  private openLater(pauseMs: number): void {
    if (this.isClosing) return;
    this.reopening = setTimeout(() => {
      this.opening = this.openOthers().then(
        () => void Promise.all(this.streams.map(({ device }) => device.warm())),
        () => this.openLater(Math.min(2 * pauseMs, MAX_REOPEN_PAUSE_MS)),
      );
    }, pauseMs).unref();
  }

  private have(): string {
    return `${this.count} of ${this.options.streams} streams`;
  }

  private async open(device: DeviceStart['device']): Promise<void> {
    const { reopenPauseMs: _, ...start } = this.options;
    const analyses = new Set<number>();
    const opened = await Device.start(
      // The first stream chooses for all, so that the tiles of a job have one precision.
      this.count === 0
        ? { ...start, device }
        : { ...start, device, isPartial: true, precision: lowestPrecision(Object.values(this.precisions)) },
      {
        onDeath: (error) => this.die(error),
        onRun: this.listeners.onRun,
        onLowered: this.listeners.onLowered,
        onCached: (cached) => this.share(cached, analyses),
      },
    );
    const lacks = new Set(opened.leftOut.map(({ stageId }) => stageId));
    this.streams.push({ device: opened, lacks, analyses, underway: 0 });
  }

  /**
   * The least busy stream that can run the items: a stream does not have analyses from before its start. A lost one
   * only when no other can, so that the run rejects with the loss.
   */
  private freest(stageId: string, items: readonly DeviceItem[]): Stream {
    const knows = ({ analyses }: Stream): boolean =>
      items.every(({ analysis }) => analysis === null || analyses.has(analysis) || !this.isCached(analysis));
    const able = this.streams.filter((stream) => !stream.lacks.has(stageId) && knows(stream));
    const alive = able.filter(({ device }) => !device.isLost);
    return (alive.length > 0 ? alive : able).reduce((best, stream) =>
      stream.underway < best.underway ? stream : best,
    );
  }

  private isCached(analysis: number): boolean {
    return this.streams.some(({ analyses }) => analyses.has(analysis));
  }

  private share(cached: CachedAnalysis, from: ReadonlySet<number>): void {
    for (const stream of this.streams) {
      stream.analyses.add(cached.analysis);
      if (stream.analyses !== from) stream.device.cache(cached);
    }
  }

  private die(error: DeviceLostError): void {
    if (this.isLost) return;
    this.isLost = true;
    this.listeners.onDeath(error);
  }
}
