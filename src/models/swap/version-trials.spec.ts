import { join } from 'node:path';
import type { LoggerService } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadCatalog } from '../repository/load-catalog.js';
import { ModelVersion } from '../repository/model-version.js';
import { refusalOf } from '../repository/read-version.js';
import { versionName } from './exchange.js';
import type { ModelFault } from './model-fault.js';
import { ModelVerdicts } from './model-verdicts.js';
import { MemoryVerdicts } from '../testing/memory-verdicts.js';
import { VersionTrials } from './version-trials.js';

const committed = await loadCatalog(join(import.meta.dirname, '../../../models'));

function version(operation: string, number: number): ModelVersion {
  const { manifest, folder } = committed.servingVersion(operation)!;
  return new ModelVersion({ ...manifest, name: `${operation}-${number}` }, number, folder, []);
}

const PAUSE_MS = 1;

interface OpenTrial {
  readonly name: string;
  readonly signal: AbortSignal;
  readonly conclude: (fault: ModelFault | null) => void;
  readonly fail: (error: Error) => void;
}

describe('VersionTrials', () => {
  let verdicts: ModelVerdicts;
  let open: OpenTrial[];
  let warnings: string[];
  let concluded: Promise<void>;
  let verdictCount: number;
  let trials: VersionTrials;

  beforeEach(() => {
    verdicts = new ModelVerdicts(new MemoryVerdicts(), { device: 'cpu', memoryLimitBytes: 8e9 });
    [open, warnings, verdictCount] = [[], [], 0];
    let tell: () => void = () => undefined;
    concluded = new Promise((resolve) => (tell = resolve));
    trials = new VersionTrials({
      verdicts,
      runTrial: (one, signal) =>
        new Promise((conclude, fail) => {
          signal.addEventListener('abort', () => fail(signal.reason as Error));
          open.push({ name: versionName(one), signal, conclude, fail });
        }),
      onVerdict: () => {
        verdictCount += 1;
        tell();
      },
      pauseMs: PAUSE_MS,
      logger: {
        log: () => undefined,
        warn: (_: unknown, text: string) => warnings.push(text),
      } as unknown as LoggerService,
    });
  });

  afterEach(() => void vi.useRealTimers());

  const running = (): string[] => open.filter(({ signal }) => !signal.aborted).map(({ name }) => name);

  it('tries versions of several operations side by side, each once', () => {
    const wanted = [version('upscale', 2), version('auto_enhance', 2)];
    trials.want(wanted);
    trials.want(wanted);
    expect(running()).toEqual(['upscale/2', 'auto_enhance/2']);
  });

  it('records each verdict before announcing it', async () => {
    const two = version('upscale', 2);
    trials.want([two]);
    open[0]!.conclude({ reason: 'it is broken', isTransient: false });
    await concluded;
    expect(verdicts.reason(two)).toBe('it is broken');
  });

  it('silently ends the trial of a version that is no longer wanted', async () => {
    const two = version('upscale', 2);
    trials.want([two]);
    trials.want([version('upscale', 3)]);
    expect(running()).toEqual(['upscale/3']);
    trials.end();
    expect(running()).toEqual([]);
    await new Promise(setImmediate);
    expect([verdictCount, warnings, verdicts.has(two)]).toEqual([0, [], false]);
  });

  it('warns of a trial that could not run, and lets it be repeated soon', async () => {
    const two = version('upscale', 2);
    trials.want([two]);
    open[0]!.fail(new Error('spawn EAGAIN'));
    await new Promise(setImmediate);
    expect(warnings).toEqual(['could not try a model version']);
    // The repository is read again.
    await concluded;
    trials.want([two]);
    expect(open).toHaveLength(2);
    expect(verdicts.has(two)).toBe(false);
  });

  it.each(['away', 'absent'] as const)(
    'records nothing for a version whose server is %s, and lets it be tried again',
    async (remote) => {
      const two = version('upscale', 2);
      trials.want([two]);
      open[0]!.conclude({ reason: 'the server is not ready', isTransient: true, remote });
      // The repository is read again.
      await concluded;
      expect([verdicts.has(two), warnings]).toEqual([
        false,
        ['a model version waits for its inference server'],
      ]);
      trials.want([two]);
      expect(open).toHaveLength(2);
    },
  );

  const unfit = ['unfit', 'late'] as const;
  it.each(unfit)('refuses a model that is %s, and tries it at growing intervals', async (remote) => {
    vi.useFakeTimers();
    const two = version('upscale', 2);
    const conclude = async (): Promise<void> => {
      trials.want([two]);
      open.at(-1)!.conclude({ reason: 'raise max_batch_size', isTransient: true, remote });
      await vi.advanceTimersByTimeAsync(0);
    };
    await conclude();
    expect(verdicts.reason(two)).toBe('raise max_batch_size');
    expect(verdicts.unfit([refusalOf('upscale', '2', 'raise max_batch_size')])).toEqual([two]);
    expect(verdicts.unfit([])).toEqual([]);
    expect(verdictCount).toBe(1);
    for (const pauses of [1, 2, 4, 8, 16, 16]) {
      await vi.advanceTimersByTimeAsync(pauses * PAUSE_MS - 1);
      const tried = open.length;
      trials.want([two]);
      expect(open).toHaveLength(tried);
      await vi.advanceTimersByTimeAsync(1);
      await conclude();
      expect(open).toHaveLength(tried + 1);
    }
    // An operator asked for another try.
    const tried = open.length;
    trials.hurry();
    trials.want([two]);
    expect(open).toHaveLength(tried + 1);
    open.at(-1)!.conclude(null);
    await vi.advanceTimersByTimeAsync(0);
    expect([verdicts.has(two), verdicts.reason(two)]).toEqual([true, undefined]);
  });
});
