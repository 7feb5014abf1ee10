import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { photo } from '../../../src/infra/image/testing/still-images.js';
import { imageProcessBelow } from '../../support/roles/decoder-fixture.js';
import type { FlowClient } from '../../support/roles/flow-client.js';
import { isAlive, type KnownProcess } from '../../support/roles/flow-processes.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';

/** Large enough to be encoded in a separate process. */
const [WIDTH, HEIGHT] = [3_000, 2_100];
const ORDER = { operation: 'auto_enhance', level: 'low', output: { format: 'avif' } } as const;

/** One job at a time, and no lease renewal during this spec. */
const ENV = { WORKER_CONCURRENCY: '1', AVIF_EFFORT: '3', JOB_LEASE_MS: '600000', DRAIN_TIMEOUT_MS: '6000' };

describe.skipIf(process.platform !== 'linux')('the encoder of a large result', () => {
  let service: FlowService;
  let client: FlowClient;
  let source: string;
  /** The folder of the latest encoder: the folder of a killed one may still be there. */
  let folder: string | undefined;

  beforeAll(async () => {
    service = await FlowService.start({ env: ENV });
    client = await service.client();
    source = (await client.upload(await photo(WIDTH, HEIGHT, 'jpeg'))).url;
  });
  afterAll(() => service?.close());

  /** Waits until the encoder has the pixels of the job, then stops it so that it never ends by itself. */
  async function stuckEncoder(): Promise<KnownProcess> {
    folder = await eventually('pixels in the folder of another encoder', async () => {
      const names = await readdir(join(service.dataDir, 'scratch'), { recursive: true });
      const found = names.find((name) => name.endsWith('pixels.tif') && name !== folder);
      return found === undefined ? { seen: names } : { found };
    });
    const encoder = await imageProcessBelow(service.role('worker').pid, 'encoder');
    process.kill(encoder.pid, 'SIGSTOP');
    return encoder;
  }

  const whenGone = (encoder: KnownProcess): Promise<boolean> =>
    eventually('its end', () => (isAlive(encoder) ? { seen: encoder } : { found: true }));

  it('ends when the job is canceled', async () => {
    const { id } = await client.create(source, ORDER);
    const encoder = await stuckEncoder();
    expect((await client.request('POST', `/api/ai/enhance/${id}/cancel`)).status).toBe(200);
    await whenGone(encoder);
    expect(await client.job(id)).toMatchObject({ status: 'failed', error: { code: 'canceled' } });
  });

  it('can be killed twice: the job is retried without counting an attempt, and completes', async () => {
    const { id } = await client.create(source, ORDER);
    for (let kills = 0; kills < 2; kills++) {
      const encoder = await stuckEncoder();
      process.kill(encoder.pid, 'SIGKILL');
      await whenGone(encoder);
    }
    const job = await client.completed(id);
    expect(job).toMatchObject({ attempts: 1, result: { format: 'avif', width: WIDTH, height: HEIGHT } });
    expect(await service.database.job(id)).toMatchObject({ machine_faults: 1 });
  });

  it('ends when the worker drains, and the job returns to the queue', async () => {
    const { id } = await client.create(source, ORDER);
    const encoder = await stuckEncoder();
    expect(await service.stopRole('worker')).toEqual({ code: 0, signal: null });
    await whenGone(encoder);
    expect(await service.database.job(id)).toMatchObject({ status: 'queued', attempts: 0 });
    expect((await client.request('POST', `/api/ai/enhance/${id}/cancel`)).status).toBe(200);
  });
});
