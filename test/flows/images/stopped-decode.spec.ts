import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jpegOfScans } from '../../../src/infra/image/testing/progressive-jpeg.js';
import { busy, decoderBelow } from '../../support/roles/decoder-fixture.js';
import { solidFile } from '../../support/images/flow-drawn.js';
import type { FlowClient } from '../../support/roles/flow-client.js';
import { isAlive, type KnownProcess } from '../../support/roles/flow-processes.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { FlowVisitor } from '../../support/roles/flow-visitor.js';
import { eventually } from '../../support/roles/flow-wait.js';

const ORDER = { operation: 'smooth_skin' } as const;
const EMAIL = 'short.lived@example.org';
const PASSWORD = 'a cow jumped over the moon';

/** One job at a time, no deadline, and no lease renewal during this spec. */
const ENV = {
  WORKER_CONCURRENCY: '1',
  DECODE_TIMEOUT_MS: '3600000',
  JOB_LEASE_MS: '600000',
  DRAIN_TIMEOUT_MS: '6000',
};

describe.skipIf(process.platform !== 'linux')('the decode of an unwanted job', () => {
  let service: FlowService;
  let client: FlowClient;
  let slow: Buffer;

  beforeAll(async () => {
    service = await FlowService.start({ env: ENV });
    client = await service.client();
    slow = jpegOfScans(7_000, 7_000, 100);
  });
  afterAll(() => service?.close());

  /** Waits until a decoder works on a job, then stops that process so that it never ends by itself. */
  async function stuckDecoder(): Promise<KnownProcess> {
    const decoder = await decoderBelow(service.role('worker').pid);
    await busy(decoder);
    process.kill(decoder.pid, 'SIGSTOP');
    return decoder;
  }

  async function expectFreed(decoder: KnownProcess): Promise<void> {
    await eventually('the decoder to be gone', () =>
      isAlive(decoder) ? { seen: decoder } : { found: true },
    );
    const { job } = await client.enhance(await solidFile(30, 20, [90, 120, 150]), ORDER);
    expect(job).toMatchObject({ status: 'completed', attempts: 1 });
  }

  const slowJob = async () => client.create((await client.upload(slow)).url, ORDER);

  it('ends when the job is canceled', async () => {
    const { id } = await slowJob();
    const decoder = await stuckDecoder();
    expect((await client.request('POST', `/api/ai/enhance/${id}/cancel`)).status).toBe(200);
    await expectFreed(decoder);
    expect(await client.job(id)).toMatchObject({ status: 'failed', error: { code: 'canceled' } });
  });

  it('ends when the job is deleted', async () => {
    const { id } = await slowJob();
    const decoder = await stuckDecoder();
    expect((await client.request('DELETE', `/api/ai/enhance/${id}`)).status).toBe(204);
    await expectFreed(decoder);
  });

  it('ends when the account is deleted', async () => {
    const visitor = await FlowVisitor.signUp(service.baseUrl, EMAIL, PASSWORD);
    const { url: sourceUrl } = await visitor.upload(slow);
    await visitor.expected(201, 'POST', '/ai/enhance', { sourceUrl, ...ORDER });
    const decoder = await stuckDecoder();
    await visitor.expected(204, 'POST', '/account/delete', { confirmation: EMAIL, password: PASSWORD });
    await expectFreed(decoder);
    expect(await service.database.rows('SELECT id FROM accounts WHERE email = $1', [EMAIL])).toEqual([]);
  });

  it('ends when the job is given to another claim', async () => {
    const { id } = await slowJob();
    const decoder = await stuckDecoder();
    // Like the dispatcher when a lease expires, but without waiting for that.
    await service.database.rows(
      `UPDATE jobs SET status = 'queued', lease_token = NULL, lease_expires_at = NULL, enqueued_at = NULL
          WHERE id = $1`,
      [id],
    );
    await eventually('the decoder to be gone', () =>
      isAlive(decoder) ? { seen: decoder } : { found: true },
    );
    await busy(await decoderBelow(service.role('worker').pid));
    expect(await client.job(id)).toMatchObject({ status: 'processing', attempts: 2 });
    await client.request('POST', `/api/ai/enhance/${id}/cancel`);
  });

  it('ends when the worker drains, and the job returns to the queue', async () => {
    const { id } = await slowJob();
    const decoder = await stuckDecoder();
    expect(await service.stopRole('worker')).toEqual({ code: 0, signal: null });
    expect(isAlive(decoder)).toBe(false);
    expect(await service.database.job(id)).toMatchObject({
      status: 'queued',
      attempts: 0,
      lease_token: null,
    });
    await service.startRole('worker');
    expect(await client.until(id, 'processing')).toMatchObject({ attempts: 1 });
    await client.request('POST', `/api/ai/enhance/${id}/cancel`);
  });
});
