import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobDto } from '../../../src/common/resources/job.dto.js';
import type { ModelHealthDto } from '../../../src/models/serving/model-health.dto.js';
import { solidFile } from '../../support/images/flow-drawn.js';
import { FlowModelService } from '../../support/models/flow-model-service.js';
import { onlyLow } from '../../support/models/flow-models.js';
import { signaled } from '../../support/roles/flow-processes.js';
import { eventually, LASTING } from '../../support/roles/flow-wait.js';

const SMALLEST = { operation: 'upscale', level: 'low' } as const;
/**
 * Makes the trial last long enough to be found and stopped, also while the test gets no CPU time. One trial runs to its
 * end.
 */
const GOLDEN_IMAGES = 20;

/** One service for all tests, in which a trial of another operation ends only in the last test. */
describe('a serving model version whose files are damaged or removed', () => {
  let service: FlowModelService;
  let sourceUrl: string;

  beforeAll(async () => {
    service = await FlowModelService.start();
    sourceUrl = (await service.client.upload(await solidFile(20, 20, [20, 90, 160]))).url;
  });
  afterAll(async () => {
    await service?.close();
  });

  const offered = ({ operations }: ModelHealthDto, operation: string): number | undefined =>
    operations.find((one) => one.operation === operation)?.model.version;

  const takeovers = (): number => service.supervisor.errors.match(/starting another worker/g)?.length ?? 0;

  /** A version that scales differently at level high, so a worker keeps version 1 for earlier jobs. */
  const dropSmall = (version: number): Promise<void> => service.models.drop('upscale', version, onlyLow);

  /** Waits until jobs are promised a version; returns the states on the way. A replaced worker may still be there. */
  async function served(operation: string, version: number): Promise<ModelHealthDto[]> {
    const states: ModelHealthDto[] = [];
    await eventually(
      `${operation}/${version} to be served`,
      async () => {
        const seen = await service.health();
        states.push(seen);
        return offered(seen, operation) === version
          ? { found: true }
          : { seen: [seen, service.supervisor.errors.slice(-2_000)] };
      },
      { maxPauseMs: 250 },
    );
    return states;
  }

  /** Waits until the replaced worker has ended. */
  const alone = (): Promise<true> =>
    eventually(
      'the replaced worker to end',
      () =>
        service.workers().length === 1 ? { found: true } : { seen: service.supervisor.errors.slice(-2_000) },
      LASTING,
    );

  /** The worker that took over last. */
  const currentWorker = (): number =>
    Number(
      [...service.supervisor.errors.matchAll(/has taken over \(pid (\d+)\)/g)].at(-1)?.[1] ??
        service.workers()[0]?.pid,
    );

  /** Stops the trial process of `auto_enhance/2` in the current worker, so it lasts as long as that worker. */
  async function holdTrial(): Promise<void> {
    await eventually('the trial of auto_enhance/2', () => {
      const worker = currentWorker();
      const found = service.supervisor
        .processes()
        .filter(({ command, parentPid }) => parentPid === worker && command.includes('checker-process.js'));
      const held = found.filter(({ pid }) => signaled(pid, 'SIGSTOP'));
      return held.length > 0 ? { found: true } : { seen: service.supervisor.errors.slice(-2_000) };
    });
    await alone();
  }

  const completedVersion = async (): Promise<number> => {
    const { id }: JobDto = await service.client.create(sourceUrl, SMALLEST);
    return (await service.client.completed(id)).model!.version;
  };

  const message = ({ refusals }: ModelHealthDto, version: string): string | undefined =>
    refusals.find((one) => one.operation === 'upscale' && one.version === version)?.message;

  it('can be swapped while another operation has a version on trial', async () => {
    await service.models.dropSlowToTry(
      'auto_enhance',
      2,
      await solidFile(900, 900, [90, 120, 60]),
      GOLDEN_IMAGES,
    );
    await holdTrial();
    await dropSmall(2);
    const states = await served('upscale', 2);
    await holdTrial();
    expect(offered(states.at(-1)!, 'auto_enhance')).toBe(1);
    expect(await completedVersion()).toBe(2);
  });

  it('yields to the version below within one takeover after it is truncated', async () => {
    const before = takeovers();
    await service.models.truncate('upscale', 2);
    const states = await served('upscale', 1);
    await holdTrial();
    expect(takeovers() - before).toBe(1);
    expect(service.supervisor.errors).not.toMatch(/did not take over/);
    const told = states.map((state) => message(state, '2'));
    expect(told.some((text) => text?.includes('has sha256'))).toBe(true);
    expect(offered(states.at(-1)!, 'auto_enhance')).toBe(1);
    expect(await completedVersion()).toBe(1);
  });

  it('yields within one takeover after its folder is removed, and health reports it until then', async () => {
    await dropSmall(3);
    await served('upscale', 3);
    await holdTrial();
    const before = takeovers();
    await service.models.remove('upscale', 3);
    const states = await served('upscale', 1);
    await holdTrial();
    expect(takeovers() - before).toBe(1);
    const noticed = states.findIndex((state) => message(state, '3') !== undefined);
    expect(noticed, JSON.stringify(states.map(({ status }) => status))).toBeGreaterThanOrEqual(0);
    const until = states.slice(noticed).filter((state) => offered(state, 'upscale') === 3);
    expect(new Set(until.map(({ status }) => status))).toEqual(new Set(['degraded']));
    // The end of another trial may trigger a scan while the folder is half removed.
    expect(until.map((state) => message(state, '3'))).toContainEqual(
      expect.stringMatching(/^upscale\/3 still serves from memory, but its folder is missing/),
    );
    expect(await completedVersion()).toBe(1);
  });

  it('runs the jobs that only the removed version can run before its worker ends', async () => {
    await dropSmall(4);
    await served('upscale', 4);
    await holdTrial();
    const before = service.supervisor.role('worker')!;
    const successions = (): number => service.supervisor.errors.match(/has taken over/g)!.length;
    const count = successions();
    await service.models.remove('upscale', 4);
    await eventually('the successor to start', () =>
      service.workers().length === 2 ? { found: true } : { seen: service.workers() },
    );
    // The old worker is stopped, so that the jobs wait for it however fast the machine is.
    process.kill(before.pid, 'SIGSTOP');
    const order = { operation: 'upscale', level: 'high' } as const;
    const jobs = await Promise.all(Array.from({ length: 12 }, () => service.client.create(sourceUrl, order)));
    await eventually('the takeover', () =>
      successions() > count ? { found: true } : { seen: service.supervisor.errors.slice(-2_000) },
    );
    process.kill(before.pid, 'SIGCONT');
    await eventually('health to name the version', async () => {
      const seen = await service.health();
      const text = message(seen, '4');
      return text?.includes('only from the memory of a worker that was replaced')
        ? { found: true }
        : { seen: [seen, service.supervisor.errors.slice(-2_000)] };
    });
    await eventually('the replaced worker to say why it stays', () =>
      /it stays for jobs that only it can run/.test(service.supervisor.errors)
        ? { found: true }
        : { seen: service.supervisor.errors.slice(-2_000) },
    );
    const done: JobDto[] = [];
    for (const { id } of jobs) done.push(await service.client.completed(id));
    const widths = (version: number) =>
      new Set(done.filter(({ model }) => model!.version === version).map(({ result }) => result!.width));
    expect(widths(4)).toEqual(new Set([40]));
    expect(done.map(({ attempts }) => attempts)).toEqual(done.map(() => 1));
    await served('upscale', 1);
    await alone();
    // For a while, nobody knows whether a worker that ended is still alive.
    await eventually('health to forget the version', async () => {
      const seen = await service.health();
      return message(seen, '4') === undefined ? { found: true } : { seen };
    });
  });

  it('does not block another swap forever: the version on trial serves in the end', async () => {
    const states = await served('auto_enhance', 2);
    expect(offered(states.at(-1)!, 'upscale')).toBe(1);
  });
});
