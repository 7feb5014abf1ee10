import { chown } from 'node:fs/promises';
import { bareEnvironment } from '../../../config/child-environment.js';
import type { Confinement, ConfinedProgram } from '../../processes/confinement.js';
import { DROP_ROOT, mayDropRoot } from '../../processes/drop-privileges.js';
import { isMissingCommand, wasKilled } from '../../processes/failed-start.js';
import { type ConfinedProcess, spawnConfined } from '../../processes/spawn-confined.js';
import {
  type ImageRequest,
  MAX_ANSWER_BYTES,
  type ProcessPrivileges,
  type UncheckedAnswer,
} from './image-process-protocol.js';

/** The exit code of a program that confines a process killed by SIGKILL. */
const SIGKILL_CODE = 137;
/** A busy machine may start a process slowly. */
const START_MS = 20_000;

/** The process exited or was killed before it responded. */
export class ImageProcessLost extends Error {
  /**
   * @param how `deadline`: killed for taking too long. `killed`: killed by something else, most likely because memory
   * ran out or the service stops. `crashed`: it exited on its own. `unsound`: it sent an invalid response. `stopped`:
   * its response is no longer wanted.
   */
  constructor(
    readonly how: 'deadline' | 'killed' | 'crashed' | 'unsound' | 'stopped',
    what: string,
  ) {
    super(`the image process ${what}`);
    this.name = 'ImageProcessLost';
  }
}

/**
 * The parent's side of a process that decodes or encodes images. It handles one request at a time, and its responses
 * are not trusted.
 */
export class ImageProcess {
  /** The number of requests that the process has received. */
  orders = 0;
  standing: ProcessPrivileges | undefined;
  /** The user to which the process switched; undefined when it runs as the user of this process. */
  private owner: number | undefined;
  private readonly child: ConfinedProcess;
  private readonly exited: Promise<void>;
  private said = '';
  private listener: ((answer: UncheckedAnswer | ImageProcessLost) => void) | undefined;
  private lost: ImageProcessLost | undefined;

  private constructor(
    readonly confinement: Confinement,
    program: ConfinedProgram,
  ) {
    this.child = spawnConfined(confinement, program, {
      // libvips stores a large WebP in a temporary file. The folder has another path inside a namespace.
      env: { ...bareEnvironment(), ...(program.workDir !== undefined && { TMPDIR: '.' }) },
      cwd: program.workDir ?? '/',
    });
    this.child.stdout.setEncoding('latin1').on('data', (text: string) => this.hear(text));
    // The process exited before it had read everything; its exit is handled elsewhere.
    this.child.stdin.on('error', () => undefined);
    this.exited = new Promise((resolve) => {
      this.child.once('error', (error) => {
        const how = isMissingCommand(error) ? 'crashed' : 'killed';
        this.end(new ImageProcessLost(how, `could not be started (${error.message})`));
        if (this.child.pid === undefined) resolve();
      });
      this.child.once('exit', (code, signal) => {
        this.end(lossOf(code, signal));
        resolve();
      });
    });
  }

  /**
   * Starts a process under a confinement and waits until it accepts requests.
   * @throws ImageProcessLost when it fails to start
   */
  static async start(confinement: Confinement, program: ConfinedProgram): Promise<ImageProcess> {
    const flags = mayDropRoot() ? [DROP_ROOT] : [];
    const command = [...program.command, ...flags];
    const started = new ImageProcess(confinement, { ...program, command });
    try {
      const ready = await started.answer(START_MS);
      if (ready.kind !== 'ready') throw new ImageProcessLost('unsound', 'did not report that it is ready');
      // The process has not read untrusted bytes yet.
      const standing = ready as unknown as ProcessPrivileges;
      started.standing = standing;
      if (flags.length > 0) started.owner = standing.uid;
      if (program.workDir !== undefined) await started.own(program.workDir);
      return started;
    } catch (error) {
      await started.stop();
      throw error;
    }
  }

  /** Whether it can accept a request. */
  get isAlive(): boolean {
    return this.lost === undefined;
  }

  /** Id of the outermost process; undefined when it failed to start. */
  get pid(): number | undefined {
    return this.child.pid;
  }

  /**
   * Sends one request and waits for the response.
   * @param input the bytes of the file, in order
   * @throws ImageProcessLost when the process exits, or is killed because it does not respond within `deadlineMs`; the
   * error of `input`
   */
  async ask(
    order: ImageRequest,
    input: Iterable<Buffer> | AsyncIterable<Buffer>,
    deadlineMs: number,
  ): Promise<UncheckedAnswer> {
    this.orders += 1;
    const answered = this.answer(deadlineMs);
    const sent = this.send(order, input).catch((error: unknown) => {
      this.kill();
      throw error;
    });
    // The first of the two failures is the cause; the exit of the process fails both.
    answered.catch(() => undefined);
    return Promise.race([answered, sent.then(() => answered)]);
  }

  /** Changes the owner of a file or folder to the user to which the process switched, so that it can open it. */
  async own(path: string): Promise<void> {
    if (this.owner !== undefined) await chown(path, this.owner, this.owner);
  }

  /** Kills the process and resolves when it has exited. */
  async stop(): Promise<void> {
    this.kill();
    await this.exited;
  }

  /** Kills the process for a reason. It accepts no further requests. */
  condemn(reason: ImageProcessLost): void {
    this.lost ??= reason;
    this.kill();
  }

  private kill(): void {
    this.child.kill('SIGKILL');
  }

  private async send(order: ImageRequest, input: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<void> {
    this.child.stdin.write(`${JSON.stringify(order)}\n`);
    for await (const chunk of input) {
      if (!this.isAlive) return;
      await new Promise<void>((resolve) => this.child.stdin.write(chunk, () => resolve()));
    }
  }

  private answer(deadlineMs: number): Promise<UncheckedAnswer> {
    return new Promise((resolve, reject) => {
      if (this.lost !== undefined) return reject(this.lost);
      const timer = setTimeout(() => {
        this.end(new ImageProcessLost('deadline', `did not finish within ${deadlineMs} ms`));
        this.kill();
      }, deadlineMs);
      this.listener = (answer) => {
        clearTimeout(timer);
        this.listener = undefined;
        if (answer instanceof ImageProcessLost) reject(answer);
        else resolve(answer);
      };
    });
  }

  private hear(text: string): void {
    this.said += text;
    const end = this.said.indexOf('\n');
    if (end === -1 && this.said.length <= MAX_ANSWER_BYTES) return;
    const answer = end === -1 ? undefined : parsed(this.said.slice(0, end));
    this.said = this.said.slice(end + 1);
    if (answer !== undefined && this.listener !== undefined && this.said === '') return this.listener(answer);
    // The process sent an unexpected, oversized, or invalid response, so it can no longer be trusted.
    this.end(new ImageProcessLost('unsound', 'sent an invalid message'));
    this.kill();
  }

  private end(lost: ImageProcessLost): void {
    this.lost ??= lost;
    this.listener?.(this.lost);
  }
}

function parsed(line: string): UncheckedAnswer | undefined {
  try {
    const value = JSON.parse(Buffer.from(line, 'latin1').toString()) as UncheckedAnswer | null;
    return typeof value === 'object' && value !== null && 'kind' in value ? value : undefined;
  } catch {
    return undefined;
  }
}

function lossOf(code: number | null, signal: NodeJS.Signals | null): ImageProcessLost {
  const what = signal ?? `code ${code}`;
  if (!wasKilled(code, signal)) return new ImageProcessLost('crashed', `exited with ${what}`);
  // The kernel kills with SIGKILL. Other signals stop a service.
  const guess = what === 'SIGKILL' || code === SIGKILL_CODE ? ', most likely because memory ran out' : '';
  return new ImageProcessLost('killed', `was killed (${what})${guess}`);
}
