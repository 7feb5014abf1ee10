import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FlowAccount } from '../../support/roles/flow-account.js';
import type { FlowClient } from '../../support/roles/flow-client.js';
import { BUSY_ORDER, busyFile, rottenPng, solidFile } from '../../support/images/flow-drawn.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';

const FAILED_EVENTS = ['enhancement.failed', 'enhancement.queued'];

describe('a job that ends without a result', () => {
  let service: FlowService;
  let client: FlowClient & { readonly account: FlowAccount };

  beforeAll(async () => {
    service = await FlowService.start({ models: ['smooth_skin', 'upscale'], env: { JOB_LEASE_MS: '1500' } });
    client = await service.client();
    await service.database.listen();
  });
  afterAll(() => service?.close());

  /** Expects that nothing was charged and no result is stored. */
  async function expectUndone(id: string): Promise<void> {
    expect(await service.database.ledger(id)).toEqual(['refund', 'reserve']);
    expect(await service.database.events(id)).toEqual(FAILED_EVENTS);
    expect((await client.usage()).enhancements.used).toBe(0);
    await eventually('the worker to let go of it', async () => {
      const messages = await service.database.rows('SELECT id, state FROM bullmq.job WHERE id LIKE $1', [
        `${id}%`,
      ]);
      return messages.length === 0 ? { found: true } : { seen: messages };
    });
    expect((await service.files()).results).toEqual([]);
    // A worker that has just started may be checking whether it can write.
    await eventually('no temporary file to be left', async () => {
      const { temporary } = await service.files();
      return temporary.length === 0 ? { found: true } : { seen: temporary };
    });
  }

  it('can be canceled while it is processed', async () => {
    const { url } = await client.upload(await busyFile());
    const { id } = await client.create(url, BUSY_ORDER);
    await client.until(id, 'processing');
    const answer = await client.request('POST', `/api/ai/enhance/${id}/cancel`);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ status: 'failed', error: { code: 'canceled', retryable: false } });
    expect((await client.request('POST', `/api/ai/enhance/${id}/cancel`)).status).toBe(409);
    await expectUndone(id);
    expect(await client.job(id)).toMatchObject({ status: 'failed', error: { code: 'canceled' } });
  });

  it('can be deleted while it is processed', async () => {
    const { url } = await client.upload(await busyFile());
    const { id } = await client.create(url, BUSY_ORDER);
    await client.until(id, 'processing');
    expect((await client.request('DELETE', `/api/ai/enhance/${id}`)).status).toBe(204);
    expect((await client.request('GET', `/api/ai/enhance/${id}`)).status).toBe(410);
    await expectUndone(id);
  });

  it('fails when its source is deleted while it is queued', async () => {
    const bytes = await solidFile(16, 16, [70, 80, 90]);
    const source = await client.upload(bytes);
    const storage = (await client.usage()).storage.usedBytes;
    await service.stopRole('worker');
    const { id } = await client.create(source.url, { operation: 'smooth_skin' });
    await client.deleteSource(source.id);
    await service.startRole('worker');
    const job = await client.until(id, 'completed', 'failed');
    expect(job).toMatchObject({ status: 'failed', error: { code: 'gone', retryable: false }, attempts: 1 });
    await expectUndone(id);
    expect((await client.usage()).storage.usedBytes).toBe(storage - bytes.length);
  });

  it('fails when a valid header hides pixels that cannot be decoded', async () => {
    const source = await client.upload(rottenPng());
    expect(source).toMatchObject({ format: 'png', width: 64, height: 64 });
    const { id } = await client.create(source.url, { operation: 'upscale' });
    const job = await client.until(id, 'completed', 'failed');
    expect(job).toMatchObject({ status: 'failed', error: { code: 'undecodable_image', retryable: false } });
    expect(job.resultUrl).toBeUndefined();
    await expectUndone(id);
  });
});

describe('an expired result', () => {
  let service: FlowService;

  beforeAll(async () => {
    service = await FlowService.start({ env: { RESULT_RETENTION_SECONDS: '1' } });
  });
  afterAll(() => service?.close());

  it('is erased, returns 410 and frees its storage', async () => {
    const client = await service.client();
    const bytes = await solidFile(24, 24, [200, 150, 100]);
    const { url } = await client.upload(bytes);
    const { id } = await client.create(url, { operation: 'auto_enhance' });
    const job = await client.completed(id);
    await eventually('the result to be erased', async () => {
      const { results } = await service.files();
      return results.length === 0 ? { found: true } : { seen: results };
    });
    const answer = await fetch(job.resultUrl!);
    expect(answer.status).toBe(410);
    expect(await answer.json()).toMatchObject({ code: 'gone' });
    expect((await client.usage()).storage.usedBytes).toBe(bytes.length);
    expect(await client.job(id)).toMatchObject({ status: 'completed' });
  });
});
