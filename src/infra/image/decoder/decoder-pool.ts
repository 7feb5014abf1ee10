import { chmod, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../kernel/app-error.js';
import { type Confinement, confinements } from '../../processes/confinement.js';
import { DecoderLost, DecoderProcess } from './decoder-process.js';
import { decoderProgram } from './decoder-program.js';

/** A process is replaced after this many files. */
const MAX_ORDERS = 200;
/** Idle time after which all processes but one exit. */
const IDLE_MS = 30_000;
const RETRY_AFTER_SECONDS = 5;

export interface DecoderPoolOptions {
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
export interface Decoder {
  readonly process: DecoderProcess;
  readonly workDir: string | undefined;
}

/**
 * Warm decoder processes, each with one order at a time. One that ended, was ended or has done its share is
 * replaced by a fresh one when it is needed.
 */
export class DecoderPool {
  /** The confinement that the processes run under, once one has started. */
  confinement: Confinement | undefined;
  private readonly idle: Decoder[] = [];
  private readonly all = new Set<Decoder>();
  private readonly waiting: ((decoder: Decoder | undefined) => void)[] = [];
  /** Processes that run or are being started. */
  private count = 0;
  private made = 0;
  private isClosed = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: DecoderPoolOptions) {}

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
  async use<T>(work: (decoder: Decoder) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    const decoder = await this.take(signal);
    try {
      signal?.throwIfAborted();
      return await work(decoder);
    } finally {
      await this.giveBack(decoder);
    }
  }

  /** Ends all processes and removes their folders. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await Promise.all([...this.all].map((decoder) => this.dispose(decoder)));
  }

  private async take(signal: AbortSignal | undefined): Promise<Decoder> {
    for (let decoder = this.idle.pop(); decoder !== undefined; decoder = this.idle.pop()) {
      if (decoder.process.isAlive) return decoder;
      await this.retire(decoder);
    }
    if (this.count < this.options.processes) {
      this.count += 1;
      return this.start();
    }
    if (this.waiting.length >= this.options.maxWaiting)
      throw unavailable('too many images wait for a decoder');
    const decoder = await this.turn(signal);
    return decoder ?? this.start();
  }

  /** Waits for a process, or (undefined) for the place of one. @throws the reason of the signal */
  private turn(signal: AbortSignal | undefined): Promise<Decoder | undefined> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.waiting.splice(this.waiting.indexOf(next), 1);
        reject(signal!.reason as Error);
      };
      const next = (decoder: Decoder | undefined): void => {
        signal?.removeEventListener('abort', leave);
        resolve(decoder);
      };
      this.waiting.push(next);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  private async giveBack(decoder: Decoder): Promise<void> {
    const { process } = decoder;
    if (!process.isAlive || process.orders >= MAX_ORDERS || this.isClosed) return this.retire(decoder);
    const next = this.waiting.shift();
    if (next !== undefined) return next(decoder);
    this.idle.push(decoder);
    this.timer ??= setTimeout(() => void this.shrink(), IDLE_MS).unref();
  }

  /** Its place goes to whoever waits longest. */
  private async retire(decoder: Decoder): Promise<void> {
    await this.dispose(decoder);
    this.vacate();
  }

  private vacate(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.count -= 1;
    else next(undefined);
  }

  private async dispose(decoder: Decoder): Promise<void> {
    this.all.delete(decoder);
    await decoder.process.stop();
    if (decoder.workDir !== undefined) await rm(decoder.workDir, { recursive: true, force: true });
  }

  private async shrink(): Promise<void> {
    this.timer = undefined;
    for (const decoder of this.idle.splice(1)) await this.retire(decoder);
  }

  /** For a place that is counted already. */
  private async start(): Promise<Decoder> {
    try {
      if (this.isClosed) throw unavailable('the decoders are closed');
      const decoder = await this.startStrongest();
      this.all.add(decoder);
      return decoder;
    } catch (error) {
      this.vacate();
      throw error;
    }
  }

  /**
   * The first start finds the strongest confinement that this machine allows; later ones never fall below it.
   */
  private async startStrongest(): Promise<Decoder> {
    const tried: string[] = [];
    for (const confinement of this.confinement === undefined ? confinements() : [this.confinement]) {
      const workDir = await this.makeWorkDir();
      try {
        const process = await DecoderProcess.start(confinement, this.programOf(workDir));
        // Of several that start at once, the first one tells.
        const isNews = this.confinement === undefined && tried.length > 0;
        if (isNews) this.options.warn(weaker(confinement, tried));
        this.confinement ??= confinement;
        return { process, workDir };
      } catch (error) {
        if (workDir !== undefined) await rm(workDir, { recursive: true, force: true });
        if (!(error instanceof DecoderLost)) throw error;
        tried.push(`${confinement}: ${error.message}`);
      }
    }
    const cause = Object.assign(new Error(tried.join('; ')), { code: 'EAGAIN' });
    throw unavailable('no decoder process starts', cause);
  }

  private programOf(workDir: string | undefined) {
    const { dataBytes, fileBytes, hiddenDirs } = this.options;
    const { command, readable } = decoderProgram();
    return { command, readable, dataBytes, fileBytes, hiddenDirs, workDir };
  }

  private async makeWorkDir(): Promise<string | undefined> {
    const { workRoot } = this.options;
    if (workRoot === undefined) return undefined;
    this.made += 1;
    const dir = join(workRoot, `decoder-${this.made}`);
    await mkdir(dir, { recursive: true });
    await chmod(dir, 0o700);
    return dir;
  }
}

function weaker(confinement: Confinement, tried: readonly string[]): string {
  return `images are decoded under the confinement "${confinement}", since stronger ones are not allowed here (${tried.join('; ')}); see docs/decoding.md`;
}

function unavailable(internal: string, cause?: Error): AppError {
  return new AppError('service_unavailable', { internal, cause, retryAfterSeconds: RETRY_AFTER_SECONDS });
}
