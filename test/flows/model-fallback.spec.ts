import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ModelVerdicts } from '../../src/models/swap/model-verdicts.js';
import { readVersion } from '../../src/models/repository/read-version.js';
import { databaseUrlFor } from '../../src/infra/database/embedded/database-url.js';
import { removeDataDir } from '../../src/infra/database/embedded/staging.js';
import type { ModelHealthDto } from '../../src/models/serving/model-health.dto.js';
import { createFlowAccount } from '../support/roles/flow-account.js';
import { FlowClient } from '../support/roles/flow-client.js';
import { solidFile } from '../support/images/flow-drawn.js';
import { FlowModels } from '../support/models/flow-models.js';
import { FlowSupervisor } from '../support/roles/flow-supervisor.js';
import { eventually } from '../support/roles/flow-wait.js';

/** As the service uses it when nothing is set. */
const TERMS = { device: 'cpu', memoryLimitBytes: 8_000_000_000 } as const;

/**
 * A version that passes its trial and does not load in the worker, as one that fits the CPU and not the GPU: here a
 * broken one with a verdict in its favour.
 */
describe('a version that passes its trial and does not load', { timeout: 240_000 }, () => {
  let dataDir: string;
  let models: FlowModels;
  let supervisor: FlowSupervisor;
  let client: FlowClient;

  const begin = async (): Promise<void> => {
    supervisor = await FlowSupervisor.start(dataDir, {
      MODELS_DIR: models.dir,
      MODELS_POLL_MS: '500',
      INFERENCE_DEVICE: 'cpu',
    });
    const [, baseUrl] = /^Ready: (\S+) /.exec(await supervisor.ready())!;
    const { key } = await createFlowAccount((await databaseUrlFor({ dataDir, databaseUrl: undefined }))!);
    client = new FlowClient(baseUrl!, key);
  };

  beforeAll(async () => {
    models = await FlowModels.create('auto_enhance', 'upscale');
    dataDir = await mkdtemp(join(tmpdir(), 'ies-flow-fallback-'));
    // PostgreSQL's own user has to pass when the tests run as root.
    await chmod(dataDir, 0o755);
    await begin();
  }, 180_000);
  afterAll(async () => {
    await supervisor?.close();
    await removeDataDir(dataDir);
    await models?.close();
  });

  const health = async (): Promise<ModelHealthDto> =>
    (await client.request('GET', '/health/models')).json as unknown as ModelHealthDto;

  /** The refusal of a version, once it is told. */
  const refusal = (version: string): Promise<string> =>
    eventually(`version ${version} to be refused`, async () => {
      const { refusals } = await health();
      const found = refusals.find((one) => one.version === version);
      return found === undefined
        ? { seen: [refusals, supervisor.errors.slice(-2_000)] }
        : { found: found.message };
    });

  async function completedVersion(): Promise<number> {
    const { url } = await client.upload(await solidFile(60, 40, [90, 120, 60]));
    const { id } = await client.create(url, { operation: 'auto_enhance' });
    return (await client.completed(id)).model!.version;
  }

  /** The worker before is told to leave when the one after is ready: for a moment both stand there and take jobs. */
  const offered = (model: { version: number; name?: string }): Promise<true> =>
    eventually(`${JSON.stringify(model)} to be served`, async () => {
      const seen = await health();
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

  it('takes over from nobody: the worker before goes on, and says why', async () => {
    const before = supervisor.role('worker')!;
    await models.dropBroken('auto_enhance', 2, async (draft) => {
      await new ModelVerdicts(dataDir, TERMS).note(await readVersion(draft), null);
    });
    expect(await refusal('2')).toMatch(
      /^auto_enhance\/2 is not served: a worker with it did not take over: it would serve nothing else\. .*does not run on cpu/,
    );
    expect(supervisor.role('worker')!.pid).toBe(before.pid);
    expect(supervisor.errors).toMatch(/the new worker does not take over: it would serve nothing else/);
    expect(await completedVersion()).toBe(1);
  });

  it('does not keep the service from starting', async () => {
    expect(await supervisor.end('SIGINT')).toEqual({ code: 0, signal: null });
    await begin();
    // Until it hears of the new worker, the api tells what the last one said.
    await expect
      .poll(() => refusal('2'))
      .toMatch(/^auto_enhance\/2 is not served: it does not load with the others: .*does not run on cpu/);
    expect(await completedVersion()).toBe(1);
  });

  it('is no reason to refuse the next sound version', async () => {
    await models.drop('auto_enhance', 3);
    await offered({ version: 3 });
    await completedBy(3);
    expect((await health()).refusals.map(({ version }) => version)).not.toContain('3');
  });

  it('and one that is changed in place is noticed, tried and taken over', async () => {
    const before = supervisor.role('worker')!;
    await models.change('auto_enhance', 3, (draft) => {
      draft.name = 'changed-tone';
    });
    await eventually('another worker', () => {
      const found = supervisor.role('worker');
      return found !== undefined && found.pid !== before.pid && supervisor.isReady(found)
        ? { found }
        : { seen: supervisor.errors.slice(-2_000) };
    });
    await offered({ name: 'changed-tone', version: 3 });
    expect(supervisor.errors).toMatch(
      /"version":"auto_enhance\/3",.*was changed in place; give a changed model/,
    );
    await completedBy(3);
  });
});
