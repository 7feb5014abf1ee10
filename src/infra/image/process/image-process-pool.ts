import { chmod, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../kernel/app-error.js';
import { type Confinement, confinements, weakerConfinement } from '../../processes/confinement.js';
import type { ImageProcessKind } from './image-process-protocol.js';
import { ImageProcess, ImageProcessLost } from './image-process.js';
import { imageProgram } from './image-program.js';

/** A process is replaced after this many images. An encoder exits after one image, because it keeps that memory. */
const MAX_ORDERS = { decoder: 200, encoder: 1 } as const;
const WORK = { decoder: 'images are decoded', encoder: 'images are encoded' } as const;
/** Idle time after which all processes but one exit. */
const IDLE_MS = 30_000;
const RETRY_AFTER_SECONDS = 5;

export interface ImageProcessPoolOptions {
  /** Maximum number of processes. */
  readonly processes: number;
  /** Maximum number of requests waiting for a process; more are refused. */
  readonly maxWaiting: number;
  /** Private memory of a process, bytes. */
  readonly dataBytes: number;
  /** Maximum size of a file that a process writes, bytes. */
  readonly fileBytes: number;
  /** Absolute paths of folders that its processes must not see. */
  readonly hiddenDirs: readonly [string, string];
  /** The parent of the working folders, one for each process. Default: none; the processes then write nothing. */
  readonly workRoot?: string;
  readonly warn: (text: string) => void;
}

/** A process and its working folder. */
export interface PooledProcess {
  readonly process: ImageProcess;
  readonly workDir: string | undefined;
}

/**
 * Warm processes of one kind, each handling one request at a time. A process that exited, was killed, or reached its
 * image limit is replaced when a new one is needed.
 */
export class ImageProcessPool {
  /** The confinement of the processes, known once one has started. */
  confinement: Confinement | undefined;
  private readonly idle: PooledProcess[] = [];
  private readonly all = new Set<PooledProcess>();
  private readonly waiting: ((pooled: PooledProcess | undefined) => void)[] = [];
  /** Running and starting processes. */
  private count = 0;
  private made = 0;
  private isClosed = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly kind: ImageProcessKind,
    private readonly options: ImageProcessPoolOptions,
  ) {}

  /** Starts a process before the first request. A failure is logged and retried by that request. */
  async warm(): Promise<void> {
    await this.use(async () => undefined).catch((error: unknown) => this.options.warn(String(error)));
  }

  /**
   * Lends a process to `work`.
   * @param signal ends the wait for a process; `work` must watch it itself
   * @throws AppError `service_unavailable` when too many requests wait or no process starts; the reason of the signal;
   * errors of `work`
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

  /** Stops all processes and removes their folders. */
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
      throw busy(`too many images wait for a process (${this.kind})`);
    const pooled = await this.turn(signal);
    return pooled ?? this.start();
  }

  /** Waits for a process, or (undefined) for permission to start one. @throws the reason of the signal */
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

  /** Passes the free slot to the request that has waited longest. */
  private async retire(pooled: PooledProcess): Promise<void> {
    try {
      await this.dispose(pooled);
    } finally {
      this.vacate();
    }
  }

  private vacate(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.count -= 1;
    else next(undefined);
  }

  private async dispose(pooled: PooledProcess): Promise<void> {
    this.all.delete(pooled);
    await pooled.process.stop();
    await this.removeWorkDir(pooled.workDir);
  }

  /** Never throws, because the sweep of the next start removes leftovers. */
  private async removeWorkDir(dir: string | undefined): Promise<void> {
    if (dir === undefined) return;
    await rm(dir, { recursive: true, force: true }).catch((error: unknown) =>
      this.options.warn(`the folder of a ${this.kind} could not be removed: ${String(error)}`),
    );
  }

  private async shrink(): Promise<void> {
    this.timer = undefined;
    for (const pooled of this.idle.splice(1)) await this.retire(pooled);
  }

  /** Starts a process in a slot that is already counted. */
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
   * The first start finds the strongest confinement that this machine supports; later ones never use a weaker one.
   */
  private async startStrongest(): Promise<PooledProcess> {
    const tried: string[] = [];
    for (const confinement of this.confinement === undefined ? confinements() : [this.confinement]) {
      const workDir = await this.makeWorkDir();
      try {
        const process = await ImageProcess.start(confinement, this.programOf(workDir));
        // Only the first of several concurrent starts logs the weaker confinement.
        const isNews = this.confinement === undefined && tried.length > 0;
        if (isNews) this.options.warn(weakerConfinement(WORK[this.kind], confinement, tried));
        this.confinement ??= confinement;
        return { process, workDir };
      } catch (error) {
        await this.removeWorkDir(workDir);
        if (!(error instanceof ImageProcessLost)) throw error;
        // Says nothing about the confinement, so the next start tries it again.
        if (error.how === 'killed' || error.how === 'deadline') throw busy(error.message);
        tried.push(`${confinement}: ${error.message}`);
      }
    }
    throw busy(`no ${this.kind} process starts`, tried.join('; '));
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

/** The cause has a code that jobs recognize as a fault of the machine, so that they return to the queue. */
function busy(internal: string, why = internal): AppError {
  return unavailable(internal, Object.assign(new Error(why), { code: 'EAGAIN' }));
}

function unavailable(internal: string, cause?: Error): AppError {
  return new AppError('service_unavailable', { internal, cause, retryAfterSeconds: RETRY_AFTER_SECONDS });
}
