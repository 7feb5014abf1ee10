import { chmod, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../kernel/app-error.js';
import { type Confinement, confinements } from '../../processes/confinement.js';
import type { ImageProcessKind } from './image-process-protocol.js';
import { ImageProcess, ImageProcessLost } from './image-process.js';
import { imageProgram } from './image-program.js';

/** A process is replaced after this many images. An encoder keeps the memory of its image, so it ends with it. */
const MAX_ORDERS = { decoder: 200, encoder: 1 } as const;
/** Idle time after which all processes but one exit. */
const IDLE_MS = 30_000;
const RETRY_AFTER_SECONDS = 5;

export interface ImageProcessPoolOptions {
  /** Most processes at once. */
  readonly processes: number;
  /** Most orders that wait for a process; further ones are refused. */
  readonly maxWaiting: number;
  /** Private memory of a process, bytes. */
  readonly dataBytes: number;
  /** Largest file it may write, bytes. */
  readonly fileBytes: number;
  /** Folders that its processes must not see, absolute. */
  readonly hiddenDirs: readonly [string, string];
  /** Where each process gets a folder of its own to write in. Default: none, they write nothing. */
  readonly workRoot?: string;
  readonly warn: (text: string) => void;
}

/** A process and the folder it works in. */
export interface PooledProcess {
  readonly process: ImageProcess;
  readonly workDir: string | undefined;
}

/**
 * Warm processes of one kind, each with one order at a time. One that ended, was ended or has done its share is
 * replaced by a fresh one when it is needed.
 */
export class ImageProcessPool {
  /** The confinement that the processes run under, once one has started. */
  confinement: Confinement | undefined;
  private readonly idle: PooledProcess[] = [];
  private readonly all = new Set<PooledProcess>();
  private readonly waiting: ((pooled: PooledProcess | undefined) => void)[] = [];
  /** Processes that run or are being started. */
  private count = 0;
  private made = 0;
  private isClosed = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly kind: ImageProcessKind,
    private readonly options: ImageProcessPoolOptions,
  ) {}

  /** Starts a process ahead of the first order. A failure is told and tried again with that order. */
  async warm(): Promise<void> {
    await this.use(async () => undefined).catch((error: unknown) => this.options.warn(String(error)));
  }

  /**
   * Lends a process to some work.
   * @param signal ends the wait for a process; the work looks at it itself
   * @throws AppError `service_unavailable` when too many wait or no process starts; the reason of the signal;
   * what `work` throws
   */
  async use<T>(work: (pooled: PooledProcess) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    const pooled = await this.take(signal);
    try {
      signal?.throwIfAborted();
      return await work(pooled);
    } finally {
      await this.giveBack(pooled);
    }
  }

  /** Ends all processes and removes their folders. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await Promise.all([...this.all].map((pooled) => this.dispose(pooled)));
  }

  private async take(signal: AbortSignal | undefined): Promise<PooledProcess> {
    for (let pooled = this.idle.pop(); pooled !== undefined; pooled = this.idle.pop()) {
      if (pooled.process.isAlive) return pooled;
      await this.retire(pooled);
    }
    if (this.count < this.options.processes) {
      this.count += 1;
      return this.start();
    }
    if (this.waiting.length >= this.options.maxWaiting)
      throw unavailable(`too many images wait for a process (${this.kind})`);
    const pooled = await this.turn(signal);
    return pooled ?? this.start();
  }

  /** Waits for a process, or (undefined) for the place of one. @throws the reason of the signal */
  private turn(signal: AbortSignal | undefined): Promise<PooledProcess | undefined> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.waiting.splice(this.waiting.indexOf(next), 1);
        reject(signal!.reason as Error);
      };
      const next = (pooled: PooledProcess | undefined): void => {
        signal?.removeEventListener('abort', leave);
        resolve(pooled);
      };
      this.waiting.push(next);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  private async giveBack(pooled: PooledProcess): Promise<void> {
    const { process } = pooled;
    if (!process.isAlive || process.orders >= MAX_ORDERS[this.kind] || this.isClosed)
      return this.retire(pooled);
    const next = this.waiting.shift();
    if (next !== undefined) return next(pooled);
    this.idle.push(pooled);
    this.timer ??= setTimeout(() => void this.shrink(), IDLE_MS).unref();
  }

  /** Its place goes to whoever waits longest. */
  private async retire(pooled: PooledProcess): Promise<void> {
    await this.dispose(pooled);
    this.vacate();
  }

  private vacate(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.count -= 1;
    else next(undefined);
  }

  private async dispose(pooled: PooledProcess): Promise<void> {
    this.all.delete(pooled);
    await pooled.process.stop();
    if (pooled.workDir !== undefined) await rm(pooled.workDir, { recursive: true, force: true });
  }

  private async shrink(): Promise<void> {
    this.timer = undefined;
    for (const pooled of this.idle.splice(1)) await this.retire(pooled);
  }

  /** For a place that is counted already. */
  private async start(): Promise<PooledProcess> {
    try {
      if (this.isClosed) throw unavailable(`the ${this.kind}s are closed`);
      const pooled = await this.startStrongest();
      this.all.add(pooled);
      return pooled;
    } catch (error) {
      this.vacate();
      throw error;
    }
  }

  /**
   * The first start finds the strongest confinement that this machine allows; later ones never fall below it.
   */
  private async startStrongest(): Promise<PooledProcess> {
    const tried: string[] = [];
    for (const confinement of this.confinement === undefined ? confinements() : [this.confinement]) {
      const workDir = await this.makeWorkDir();
      try {
        const process = await ImageProcess.start(confinement, this.programOf(workDir));
        // Of several that start at once, the first one tells.
        const isNews = this.confinement === undefined && tried.length > 0;
        if (isNews) this.options.warn(weaker(this.kind, confinement, tried));
        this.confinement ??= confinement;
        return { process, workDir };
      } catch (error) {
        if (workDir !== undefined) await rm(workDir, { recursive: true, force: true });
        if (!(error instanceof ImageProcessLost)) throw error;
        tried.push(`${confinement}: ${error.message}`);
      }
    }
    const cause = Object.assign(new Error(tried.join('; ')), { code: 'EAGAIN' });
    throw unavailable(`no ${this.kind} process starts`, cause);
  }

  private programOf(workDir: string | undefined) {
    const { dataBytes, fileBytes, hiddenDirs } = this.options;
    const { command, readable } = imageProgram(this.kind);
    return { command, readable, dataBytes, fileBytes, hiddenDirs, workDir };
  }

  private async makeWorkDir(): Promise<string | undefined> {
    const { workRoot } = this.options;
    if (workRoot === undefined) return undefined;
    this.made += 1;
    const dir = join(workRoot, `${this.kind}-${this.made}`);
    await mkdir(dir, { recursive: true });
    await chmod(dir, 0o700);
    return dir;
  }
}

function weaker(kind: ImageProcessKind, confinement: Confinement, tried: readonly string[]): string {
  return `images are ${kind === 'decoder' ? 'decoded' : 'encoded'} under the confinement "${confinement}", since stronger ones are not allowed here (${tried.join('; ')}); see docs/decoding.md`;
}

function unavailable(internal: string, cause?: Error): AppError {
  return new AppError('service_unavailable', { internal, cause, retryAfterSeconds: RETRY_AFTER_SECONDS });
}
