import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCatalog } from '../../../src/models/repository/load-catalog.js';
import { Database } from '../../../src/infra/database/database.js';
import type { ModelHealthDto } from '../../../src/models/serving/model-health.dto.js';
import { ModelPresence } from '../../../src/models/serving/model-presence.js';
import { ModelWorkersRepository } from '../../../src/models/serving/model-workers.repository.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await startHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

const health = async (): Promise<ModelHealthDto> => {
  const { status, body } = await harness.call('GET', '/health/models');
  expect(status).toBe(200);
  return body as ModelHealthDto;
};

const newWorker = () => new ModelPresence(new ModelWorkersRepository(harness.app.get(Database)));

/** The committed models, as a worker with another version of them would announce them. */
async function catalogAs(version: number, scale = 2) {
  const catalog = await loadCatalog(join(import.meta.dirname, '../../../models'));
  const operations = catalog.operations().map((operation) =>
    Object.assign(operation, {
      scales: { ...operation.scales, low: operation.operation === 'upscale' ? scale : 1 },
      model: { ...operation.model, version },
    }),
  );
  const versions = operations.map(({ operation }) => ({ operation, version }));
  return Object.assign(Object.create(catalog) as typeof catalog, {
    operations: () => operations,
    loadedVersions: () => versions,
  });
}

const offered = async (): Promise<number[]> => {
  const { body } = await harness.call('GET', '/api/ai/operations', { key: account.key });
  const { data } = body as { data: { model: { version: number } }[] };
  return [...new Set(data.map(({ model }) => model.version))];
};

describe('GET /health/models → 200', () => {
  it('lists the models of the repository, and no workers, before the first worker starts', async () => {
    const { status, operations, workers, refusals } = await health();
    expect({ status, workers, refusals }).toEqual({ status: 'degraded', workers: [], refusals: [] });
    expect(operations.map(({ operation }) => operation)).toEqual([
      'auto_enhance',
      'bg_remove',
      'smooth_skin',
      'upscale',
    ]);
  });

  it('offers new versions at once, drops those of draining workers, and shows refusals', async () => {
    const [first, second] = [newWorker(), newWorker()];
    await first.begin(await catalogAs(7), 'cpu');
    await eventually('version 7 to be offered', async () => {
      const seen = await offered();
      return seen[0] === 7 ? { found: true } : { seen };
    });
    expect(await health()).toMatchObject({ status: 'ok', workers: [{ id: first.workerId, device: 'cpu' }] });

    await second.begin(await catalogAs(8, 4), 'cpu');
    await eventually('version 8 to be offered', async () => {
      const seen = await offered();
      return seen[0] === 8 ? { found: true } : { seen };
    });
    expect(await offered()).toEqual([8]);
    const job = await harness.newJob(account, { operation: 'upscale', level: 'low' });
    const [row] = await harness.rows('SELECT promise FROM jobs WHERE id = $1', [job.id]);
    expect(row).toEqual({ promise: { version: 8, scale: 4, producesAlpha: false } });

    const refusal = { operation: 'upscale', version: '9', message: 'upscale/9 is not served: it is broken.' };
    await second.refuse([refusal]);
    await second.onModuleDestroy();
    await first.refuse([refusal]);
    await eventually('the refusal and the drain to be told', async () => {
      const seen = await health();
      const isTold = seen.status === 'degraded' && seen.workers.some(({ state }) => state === 'draining');
      return isTold && seen.refusals.length === 1 ? { found: true } : { seen };
    });
    expect((await health()).refusals).toEqual([refusal]);
    expect(await offered()).toEqual([7]);
    await first.onApplicationShutdown();
    await second.onApplicationShutdown();
  });
});
