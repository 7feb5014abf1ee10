import type { Worker } from 'node:worker_threads';
import type { Precision } from '../../models/compose/compose-stage.js';
import { transferList } from '../tensor.js';
import type {
  DeviceItem,
  DeviceMessage,
  DeviceOutcome,
  DeviceStart,
  HostMessage,
  CachedAnalysis,
  LeftOutStage,
  LoweredStage,
  RunReport,
} from './device-port.js';
import { lendBuffer } from '../buffers/lent-buffers.js';
import { DeviceLostError } from '../device-fault.js';
import { RunWatch } from './run-watch.js';
import { startDeviceThread } from './threads/device-threads.js';

interface Pending {
  readonly stageId: string;
  readonly resolve: (outcomes: readonly DeviceOutcome[]) => void;
  readonly reject: (error: Error) => void;
}

/** The parameters of a device that its thread does not need. */
export interface HostOptions {
  /** How long one run may take before the device counts as lost. Default: no limit. */
  readonly runTimeoutMs?: number | undefined;
}

export interface DeviceListeners {
  /** Called once if the thread ends without `close`, its device is broken, or a run does not end in time. */
  readonly onDeath: (error: DeviceLostError) => void;
  /** Called for every run of a graph that is not a warm-up. */
  readonly onRun?: ((run: RunReport) => void) | undefined;
  /** Called at the start for every stage that was lowered. */
  readonly onLowered?: ((lowered: LoweredStage) => void) | undefined;
  /** When several threads share the device: called for every analysis, before its run resolves. */
  readonly onCached?: ((cached: CachedAnalysis) => void) | undefined;
}

type Ready = Extract<DeviceMessage, { kind: 'ready' }>;

/** The host side of the device thread. Runs are messages, so the caller's event loop is never blocked. */
export class Device {
  private readonly pending = new Map<number, Pending>();
  /** Buffers to return with the next run. */
  private readonly returned: ArrayBuffer[] = [];
  private readonly exited: Promise<void>;
  private nextTicket = 1;
  private warming: Promise<readonly string[]> | undefined;
  private warmed: (broken: readonly string[]) => void = () => undefined;
  private lost: DeviceLostError | null = null;
  private closing = false;
  private readonly watch: RunWatch | undefined;

  private constructor(
    private readonly worker: Worker,
    ready: Ready,
    private readonly listeners: DeviceListeners,
    runTimeoutMs: number | undefined,
  ) {
    if (runTimeoutMs !== undefined) this.watch = new RunWatch(runTimeoutMs, () => this.giveUp(runTimeoutMs));
    this.provider = ready.provider;
    this.providers = ready.providers;
    this.passedOver = ready.passedOver;
    this.precisions = ready.precisions;
    this.resizable = ready.resizable;
    this.leftOut = ready.leftOut;
    this.largestBatch = ready.largestBatch;
    for (const lowered of ready.lowered) listeners.onLowered?.(lowered);
    worker.on('message', (message: DeviceMessage) => this.receive(message));
    worker.on('error', (error) => this.die(error));
    this.exited = new Promise((resolve) => {
      worker.once('exit', (code) => {
        this.die(new Error(`it exited with code ${code}`));
        resolve();
      });
    });
  }

  /** The execution provider in use, for example `cpu`. */
  readonly provider: string;
  /** The provider of each engine's stages; only engines in use. */
  readonly providers: Readonly<Record<string, string>>;
  /** Why `auto` did not choose a better provider; empty when it chose the best. */
  readonly passedOver: readonly string[];
  /** The precision of each stage, by id. */
  readonly precisions: Readonly<Record<string, Precision>>;
  /** Render stages that compute smaller tiles than their manifest names, by id. */
  readonly resizable: readonly string[];
  /** Stages that the thread lacks; only if it is one of several. */
  readonly leftOut: readonly LeftOutStage[];
  /** Upper bound for every stage's `maxBatch`. */
  readonly largestBatch: number;

  /**
   * Starts the thread and loads every stage. Also warms them, unless that is left to `warm`.
   * @throws Error with the stage that does not load and its provider
   */
  static async start(
    { runTimeoutMs, ...start }: DeviceStart & HostOptions,
    listeners: DeviceListeners,
  ): Promise<Device> {
    const worker = startDeviceThread(start);
    const first = await new Promise<DeviceMessage>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', (code) =>
        reject(new Error(`The device thread exited with code ${code} at its start.`)),
      );
    });
    if (first.kind === 'refused') throw new Error(first.message);
    return new Device(worker, first as Ready, listeners, runTimeoutMs);
  }

  /** Whether the thread or its device is gone, so that every run rejects with DeviceLostError. */
  get isLost(): boolean {
    return this.lost !== null;
  }

  /**
   * Runs items of one stage together; their tensors are transferred. Results are in the order of the items.
   */
  run(stageId: string, items: readonly DeviceItem[]): Promise<readonly DeviceOutcome[]> {
    if (this.lost !== null) return Promise.reject(this.lost);
    const ticket = this.nextTicket++;
    return new Promise((resolve, reject) => {
      if (this.pending.size === 0) this.watch?.restart();
      this.pending.set(ticket, { stageId, resolve, reject });
      const returned = this.returned.splice(0);
      const moved = [...transferList(items.map(({ tensors }) => tensors)), ...returned];
      this.send({ kind: 'run', ticket, stageId, items, returned }, moved);
    });
  }

  /**
   * Warms the remaining stages while the device is idle. Runs take precedence.
   * @returns a message for each stage that does not run, and whose items will fail. Also empty when the device ends
   * before the result is known
   */
  warm(): Promise<readonly string[]> {
    this.warming ??= new Promise((resolve) => {
      this.warmed = resolve;
      if (this.lost !== null || this.closing) resolve([]);
      else this.send({ kind: 'warm' });
    });
    return this.warming;
  }

  /** Sends the thread a copy of the output of another thread's analysis. */
  cache(cached: CachedAnalysis): void {
    if (this.lost === null && !this.closing) this.send({ kind: 'cache', ...cached });
  }

  /** Frees the outputs cached for an analysis; does nothing when there are none. */
  forget(analysis: number): void {
    if (this.lost === null && !this.closing) this.send({ kind: 'forget', analysis });
  }

  /** Ends the thread after its pending runs. That of a lost device ends with the process. */
  async close(): Promise<void> {
    if (this.lost !== null) return;
    if (!this.closing) this.send({ kind: 'close' });
    this.closing = true;
    await this.exited;
  }

  private send(message: HostMessage, transfer: readonly ArrayBuffer[] = []): void {
    this.worker.postMessage(message, transfer);
  }

  private receive(message: DeviceMessage): void {
    if (message.kind === 'warm') this.warmed(message.broken);
    if (message.kind === 'broken') this.die(new Error(message.message));
    if (message.kind !== 'outcomes') return;
    for (const run of message.runs) this.listeners.onRun?.(run);
    for (const cached of message.cached) this.listeners.onCached?.(cached);
    for (const buffer of message.lent)
      lendBuffer(buffer, usersOf(buffer, message.outcomes), (free) => this.returned.push(free));
    this.pending.get(message.ticket)?.resolve(message.outcomes);
    this.pending.delete(message.ticket);
    if (this.pending.size === 0) this.watch?.stop();
    else this.watch?.restart();
  }

  /** The thread computes one run after the other, so the oldest one is the one that does not end. */
  private giveUp(runTimeoutMs: number): void {
    const [oldest] = this.pending.values();
    this.die(new Error(`a run of the stage ${oldest?.stageId} takes longer than ${runTimeoutMs} ms`));
  }

  private die(cause: Error): void {
    if (this.lost !== null) return;
    this.lost = new DeviceLostError(`The device thread is gone: ${cause.message}`, { cause });
    for (const { reject } of this.pending.values()) reject(this.lost);
    this.pending.clear();
    this.watch?.stop();
    this.warmed([]);
    if (!this.closing) this.listeners.onDeath(this.lost);
  }
}

/** Number of outcomes with a view of this buffer. */
function usersOf(buffer: ArrayBuffer, outcomes: readonly DeviceOutcome[]): number {
  return outcomes.filter((outcome) => outcome.ok && outcome.tensors['image']?.data.buffer === buffer).length;
}
