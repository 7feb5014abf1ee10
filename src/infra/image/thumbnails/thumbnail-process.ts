import { bareEnvironment } from '../../../config/child-environment.js';
import { compiledModule } from '../../../config/compiled-module.js';
import { AppError } from '../../../kernel/app-error.js';
import type { ErrorCode } from '../../../kernel/errors/error-codes.js';
import { type Confinement, confinements, weakerConfinement } from '../../processes/confinement.js';
import { codeOf } from '../../processes/program-code.js';
import { DROP_ROOT, mayDropRoot } from '../../processes/drop-privileges.js';
import { isMissingCommand, wasKilled } from '../../processes/failed-start.js';
import { type ConfinedProcess, spawnConfined } from '../../processes/spawn-confined.js';
import { damaged, isImageRefusal } from '../codec/refusals.js';
import type { ThumbnailRequest } from './thumbnail-protocol.js';

/** Memory of Node.js and the library before a file is read. */
const BASE_BYTES = 500_000_000;
/** A busy machine may start a process slowly. */
const START_MS = 20_000;
/** Longer than the time limit that the process sets for the library. */
const WORK_MS = 15_000;
/** Far more than a thumbnail needs. */
const MAX_ANSWER_BYTES = 1_000_000;
const RETRY_AFTER_SECONDS = 5;

/** The machine does not support the confinement: the process failed before it had read the file. */
class NotSupported extends AppError {}

/**
 * Creates WebP thumbnails of uploaded files, each in its own confined process: a file that crashes its decoder, or
 * makes it hang or use too much memory, harms nothing else.
 */
export class ThumbnailProcesses {
  /** The strongest confinement that this machine supports, once a process has started. */
  confinement: Confinement | undefined;

  /** @param hiddenDirs absolute paths of folders that the processes must not see */
  constructor(
    private readonly hiddenDirs: readonly [string, string],
    private readonly warn: (text: string) => void,
  ) {}

  /**
   * @param signal kills it; the promise then rejects as `service_unavailable`
   * @throws AppError an `ImageRefusal` when the file is the cause; otherwise `service_unavailable`
   */
  async make(
    file: Buffer,
    limits: Omit<ThumbnailRequest, 'sizeBytes'>,
    signal: AbortSignal,
  ): Promise<Buffer> {
    const order = { sizeBytes: file.length, ...limits };
    let failure = unavailable('is no longer started');
    const tried: string[] = [];
    for (const confinement of this.confinement === undefined ? confinements() : [this.confinement]) {
      if (signal.aborted) break;
      try {
        const onReady = (): void => this.settle(confinement, tried);
        return await this.attempt(confinement, order, { file, signal, onReady });
      } catch (error) {
        if (!(error instanceof NotSupported)) throw error;
        failure = error;
        tried.push(`${confinement}: ${error.message}`);
      }
    }
    throw failure;
  }

  private async attempt(
    confinement: Confinement,
    order: ThumbnailRequest,
    task: ThumbnailTask,
  ): Promise<Buffer> {
    const { signal } = task;
    const child = started(confinement, order, this.hiddenDirs);
    const kill = (): void => void child.kill('SIGKILL');
    signal.addEventListener('abort', kill);
    try {
      return pictureOf(await answer(child, task));
    } finally {
      signal.removeEventListener('abort', kill);
      kill();
    }
  }

  private settle(confinement: Confinement, tried: readonly string[]): void {
    if (this.confinement !== undefined) return;
    if (tried.length > 0) this.warn(weakerConfinement('thumbnails are created', confinement, tried));
    this.confinement = confinement;
  }
}

interface ThumbnailTask {
  readonly file: Buffer;
  readonly signal: AbortSignal;
  /** Called when the process has started, before it reads the file. */
  readonly onReady: () => void;
}

function started(
  confinement: Confinement,
  order: ThumbnailRequest,
  hiddenDirs: readonly [string, string],
): ConfinedProcess {
  const flags = mayDropRoot() ? [DROP_ROOT] : [];
  try {
    const entry = compiledModule('main.thumbnail.js');
    const program = {
      command: [process.execPath, entry, JSON.stringify(order), ...flags],
      readable: codeOf(entry),
      dataBytes: BASE_BYTES + order.maxDecodingBytes,
      fileBytes: 0,
      hiddenDirs,
    };
    return spawnConfined(confinement, program, { env: bareEnvironment() });
  } catch (error) {
    throw unavailable(`could not be started (${String(error)})`);
  }
}

/** Sends the file to a process and resolves with the last line of its output. */
function answer(child: ConfinedProcess, { file, signal, onReady }: ThumbnailTask): Promise<string> {
  return new Promise((resolve, reject) => {
    let isReady = false;
    let said = '';
    const fail = (how: string, isUnsupported = false): void => {
      clearTimeout(limit);
      if (isReady && !signal.aborted) reject(harmful(how));
      else reject(!isReady && isUnsupported ? notSupported(how) : unavailable(how));
    };
    let limit = setTimeout(() => fail('took too long to start'), START_MS);
    child.stdout.setEncoding('latin1').on('data', (text: string) => {
      said += text;
      if (said.length > MAX_ANSWER_BYTES) return fail('sent too much output');
      const lines = said.split('\n');
      if (!isReady && lines.length > 1) {
        isReady = true;
        onReady();
        clearTimeout(limit);
        limit = setTimeout(() => fail(`did not finish within ${WORK_MS / 1000} s`), WORK_MS);
        child.stdin.write(file);
      }
      if (lines.length > 2) resolve(lines[1]!);
    });
    // The process exited before it had read everything; its exit is handled elsewhere.
    child.stdin.on('error', () => undefined);
    child.on('error', (error) => fail(`could not be started (${error.message})`, isMissingCommand(error)));
    child.on('exit', (code, how) => fail(`exited with ${how ?? `code ${code}`}`, !wasKilled(code, how)));
  });
}

/** Responses are not trusted: a malicious file may have taken over the process. */
function pictureOf(line: string): Buffer {
  const { kind, picture, code, detail } = wordOf(line);
  const bytes = Buffer.from(kind === 'made' ? String(picture) : '', 'base64');
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return bytes;
  const refusal = new AppError(code as ErrorCode, { detail: String(detail) });
  throw kind === 'refused' && isImageRefusal(refusal) ? refusal : harmful('sent an invalid thumbnail');
}

function wordOf(line: string): Partial<Record<'kind' | 'picture' | 'code' | 'detail', unknown>> {
  try {
    return Object(JSON.parse(Buffer.from(line, 'latin1').toString())) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function harmful(how: string): AppError {
  return damaged('no thumbnail could be made', new Error(`the process that made it ${how}`));
}

function unavailable(how: string): AppError {
  return new AppError('service_unavailable', optionsOf(how));
}

function notSupported(how: string): NotSupported {
  return new NotSupported('service_unavailable', optionsOf(how));
}

function optionsOf(how: string) {
  return {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    internal: `the thumbnail process ${how}`,
  };
}
