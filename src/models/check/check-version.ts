import { basename, dirname, resolve } from 'node:path';
import type { TritonOptions } from '../../inference/engines/triton/triton-engine.js';
import { refusalOf } from '../repository/read-version.js';
import { type CheckerHandle, startChecker } from './checker-handle.js';
import { isRepeatableFailure } from './repeatable-failure.js';
import { tooLarge, tooSlow } from './runtime-text.js';
import type { CheckerMessage, VersionVerdict } from './verdict.js';

export interface CheckOptions {
  /** Memory limit of the check; on Linux the kernel enforces it. */
  readonly memoryLimitBytes?: number;
  /** Time limit of one step (a load, a dry run). */
  readonly stepTimeoutMs?: number;
  /** Threads of one run; 0: one for each core. */
  readonly threads?: number;
  /** For stages on an inference server. */
  readonly triton?: TritonOptions | undefined;
  /** Also measure what users should look at: `StageReport.notes`. */
  readonly notes?: boolean;
  /** Called for each step, for a progress bar. */
  readonly onStep?: (doing: string) => void;
  readonly signal?: AbortSignal;
}

export const DEFAULT_MEMORY_LIMIT_BYTES = 8_000_000_000;
const DEFAULT_STEP_TIMEOUT_MS = 120_000;

type Unsound = Extract<CheckerMessage, { kind: 'unsound' }>;

/**
 * Checks one version folder, `<models>/<operation>/<version>`, in a process that may crash: manifest, hashes,
 * operators, names, types, shapes, finite numbers, golden images. Does not throw for an invalid version.
 * @throws the signal's reason; Error when the process cannot be started
 */
export async function checkVersion(folder: string, options: CheckOptions = {}): Promise<VersionVerdict> {
  const path = resolve(folder);
  const memoryLimitBytes = options.memoryLimitBytes ?? DEFAULT_MEMORY_LIMIT_BYTES;
  const checker = startChecker({
    folder: path,
    threads: options.threads ?? 1,
    memoryLimitBytes,
    triton: options.triton,
    notes: options.notes,
  });
  const stop = (): void => checker.kill();
  options.signal?.addEventListener('abort', stop);
  try {
    const last = await conclusion(checker, options);
    options.signal?.throwIfAborted();
    return last.kind === 'sound' ? last.verdict : refused(path, last);
  } finally {
    options.signal?.removeEventListener('abort', stop);
    checker.kill();
  }
}

function refused(path: string, { reason, isTransient, remote }: Unsound): VersionVerdict {
  const refusal = refusalOf(basename(dirname(path)), basename(path), reason);
  return { ok: false, refusal, reason, isTransient, remote };
}

/** Resolves with the result in the last message of the process, or with why there is none. */
function conclusion(
  checker: CheckerHandle,
  { stepTimeoutMs = DEFAULT_STEP_TIMEOUT_MS, onStep = () => undefined }: CheckOptions,
): Promise<Exclude<CheckerMessage, { kind: 'step' }>> {
  let timer: NodeJS.Timeout | undefined;
  return new Promise<Exclude<CheckerMessage, { kind: 'step' }>>((conclude, reject) => {
    let doing = 'the check fails at its start';
    timer = setTimeout(() => {
      const reason = tooSlow(doing, stepTimeoutMs);
      conclude({ kind: 'unsound', reason, isTransient: true });
    }, stepTimeoutMs);
    checker.onMessage((message) => {
      timer?.refresh();
      if (message.kind !== 'step') return conclude(message);
      doing = message.doing;
      onStep(doing);
    });
    checker.onError(reject);
    checker.onExit((how) => {
      conclude({ kind: 'unsound', reason: died(doing, how), isTransient: !isRepeatableFailure(how) });
    });
  }).finally(() => clearTimeout(timer));
}

/** A process that exits without a result ran out of memory, or the runtime crashed. */
function died(doing: string, how: string): string {
  return tooLarge(
    `${doing}: the process that tried it exited with ${how}, most likely because it needed more memory than the check allows`,
  ).message;
}
