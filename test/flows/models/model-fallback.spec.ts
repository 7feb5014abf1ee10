import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ModelVerdicts } from '../../../src/models/swap/model-verdicts.js';
import { VerdictsTable } from '../../../src/models/serving/verdicts-table.js';
import { readVersion } from '../../../src/models/repository/read-version.js';
import { solidFile } from '../../support/images/flow-drawn.js';
import { FlowModelService } from '../../support/models/flow-model-service.js';
import { eventually } from '../../support/roles/flow-wait.js';

/** The settings of the service. */
const TERMS = { device: 'cpu', precision: 'float32', memoryLimitBytes: 8_000_000_000 } as const;

/**
 * A version that passes its trial but does not load in the worker, such as one that fits the CPU but not the GPU:
 * here, a broken version with a passing verdict.
 */
describe('a version that passes its trial but does not load', () => {
  let service: FlowModelService;

  beforeAll(async () => {
    service = await FlowModelService.start();
  });
  afterAll(async () => {
    await service?.close();
  });

  /** Waits until the version is refused. @returns the reason */
  const refusal = (version: string): Promise<string> =>
    eventually(`version ${version} to be refused`, async () => {
      const { refusals } = await service.health();
      const found = refusals.find((one) => one.version === version);
      return found === undefined
        ? { seen: [refusals, service.supervisor.errors.slice(-2_000)] }
        : { found: found.message };
    });

  async function completedVersion(): Promise<number> {
    const { url } = await service.client.upload(await solidFile(60, 40, [90, 120, 60]));
    const { id } = await service.client.create(url, { operation: 'auto_enhance' });
    return (await service.client.completed(id)).model!.version;
  }

  /** The old worker is told to leave when the new one is ready, so both may take jobs for a moment. */
  const offered = (model: { version: number; name?: string }): Promise<true> =>
    eventually(`${JSON.stringify(model)} to be served`, async () => {
      const seen = await service.health();
      const found = seen.operations.find(({ operation }) => operation === 'auto_enhance')?.model;
      return found?.version === model.version && (model.name ?? found.name) === found.name
        ? { found: true }
        : { seen };
    });

  const completedBy = (version: number): Promise<true> =>
    eventually(`a job to be done by version ${version}`, async () => {
      const seen = await completedVersion();
      return seen === version ? { found: true } : { seen };
    });

  it('does not take over: the previous worker stays and reports why', async () => {
    const before = service.supervisor.role('worker')!;
    await service.models.dropBroken('auto_enhance', 2, async (draft) => {
      const store = new VerdictsTable(service.databaseUrl);
      await new ModelVerdicts(store, TERMS).note(await readVersion(draft), null);
    });
    expect(await refusal('2')).toMatch(
      /^auto_enhance\/2 is not served: a worker with it did not take over: it would serve nothing else\. .*does not run on cpu/,
    );
    expect(service.supervisor.role('worker')!.pid).toBe(before.pid);
    expect(service.supervisor.errors).toMatch(
      /the new worker did not take over: it would serve nothing else/,
    );
    expect(await completedVersion()).toBe(1);
  });

  it('does not keep the service from starting', async () => {
    expect(await service.supervisor.end('SIGINT')).toEqual({ code: 0, signal: null });
    await service.startSupervisor();
    // Until it hears from the new worker, the api repeats the report of the last one.
    await expect
      .poll(() => refusal('2'))
      .toMatch(/^auto_enhance\/2 is not served: it does not load with the others: .*does not run on cpu/);
    expect(await completedVersion()).toBe(1);
  });

  it('does not affect the next valid version', async () => {
    await service.models.drop('auto_enhance', 3);
    await offered({ version: 3 });
    await completedBy(3);
    expect((await service.health()).refusals.map(({ version }) => version)).not.toContain('3');
  });

  it('does not affect a version changed in place, which is detected, tried and taken over', async () => {
    const before = service.supervisor.role('worker')!;
    await service.models.change('auto_enhance', 3, (draft) => {
      draft.name = 'changed-tone';
    });
    await eventually('another worker', () => {
      const found = service.supervisor.role('worker');
      return found !== undefined && found.pid !== before.pid && service.supervisor.isReady(found)
        ? { found }
        : { seen: service.supervisor.errors.slice(-2_000) };
    });
    await offered({ name: 'changed-tone', version: 3 });
    expect(service.supervisor.errors).toMatch(
      /"version":"auto_enhance\/3",.*was changed in place; give a changed model/,
    );
    await completedBy(3);
  });
});
