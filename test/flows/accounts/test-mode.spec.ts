import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobDto } from '../../../src/common/resources/job.dto.js';
import { solidFile } from '../../support/images/flow-drawn.js';
import { readPicture } from '../../support/images/flow-picture.js';
import { adminAnswer } from '../../support/roles/admin-command.js';
import type { FlowAccount } from '../../support/roles/flow-account.js';
import { FlowClient, type Order } from '../../support/roles/flow-client.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { WEBHOOK_ENV } from '../../support/webhooks/flow-webhooks.js';
import { WebhookReceiver } from '../../support/webhooks/webhook-receiver.js';

const BLUE = [40, 90, 200] as const;
const SCOPES = 'image:read,image:write,ai:enhance,webhook:manage';

/** A worker without any model draws the results. */
describe('test mode', () => {
  let service: FlowService;
  let receiver: WebhookReceiver;
  let noModels: string;
  let live: FlowClient & { readonly account: FlowAccount };
  let client: FlowClient;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    noModels = await mkdtemp(join(tmpdir(), 'ies-no-models-'));
    service = await FlowService.start({
      models: ['upscale', 'bg_remove'],
      roles: ['api', 'dispatcher'],
      env: WEBHOOK_ENV,
    });
    live = await service.client();
    const words = ['key', 'create', live.account.accountId, '--test', '--scopes', SCOPES];
    const { key } = (await adminAnswer(service.databaseUrl, ...words)) as { key: string };
    expect(key).toMatch(/^ies_test_/);
    client = new FlowClient(service.baseUrl, key);
    await service.startRole('worker', { MODELS_DIR: noModels });
  });
  afterAll(async () => {
    await service?.close();
    await receiver?.down();
    await rm(noModels, { recursive: true, force: true });
  });

  /** Waits with few requests, because their rate is limited. */
  async function ended(id: string): Promise<JobDto> {
    for (;;) {
      const path = `/api/ai/enhance/${id}`;
      const { status, json } = await client.request('GET', path, undefined, { prefer: 'wait=10' });
      expect(status).toBe(200);
      if (['completed', 'failed'].includes(json['status'] as string)) return json as unknown as JobDto;
    }
  }

  async function drawn(bytes: Uint8Array, order: Order): Promise<{ job: JobDto; bytes: Buffer }> {
    const { url } = await client.upload(bytes);
    const job = await ended((await client.create(url, order)).id);
    expect(job.status, JSON.stringify(job.error)).toBe('completed');
    return { job, bytes: await client.bytesAt(job.resultUrl!) };
  }

  it('returns a result of the right size with a visible mark', async () => {
    const source = await solidFile(320, 200, BLUE);
    const order: Order = { operation: 'upscale', level: 'high', output: { format: 'png' } };
    const { job, bytes } = await drawn(source, order);
    expect(job).toMatchObject({ livemode: false, device: 'test', model: { name: 'test' } });
    const picture = await readPicture(bytes);
    expect([picture.width, picture.height]).toEqual([job.result!.width, job.result!.height]);
    expect(job.result!.width).toBeGreaterThan(320);
    let marked = 0;
    for (let at = 0; at < picture.data.length; at += 4)
      if (Math.abs(picture.data[at]! - BLUE[0]) > 40) marked += 1;
    const share = marked / (picture.width * picture.height);
    expect(share).toBeGreaterThan(0.03);
    expect(share).toBeLessThan(0.4);
    const leftMs = Date.parse(job.result!.expiresAt) - Date.now();
    expect(leftMs).toBeLessThanOrEqual(86_400_000);
    const again = await client.create((await client.upload(source)).url, { ...order, cache: true });
    expect(again).toMatchObject({ status: 'completed', cached: true, model: job.model });
  });

  it('cuts out a subject and applies the requested output options', async () => {
    const { job, bytes } = await drawn(await solidFile(300, 300, BLUE), {
      operation: 'bg_remove',
      output: { format: 'png', crop: 'subject', padding: 0 },
    });
    const picture = await readPicture(bytes);
    expect(picture.data[3]).toBe(0);
    expect(picture.data[((picture.height >> 1) * picture.width + (picture.width >> 1)) * 4 + 3]).toBe(255);
    expect(job.result!.width).toBeLessThan(300);
    expect(job.result!.applied).toHaveProperty('confidence');
  });

  it('fails with the error that the metadata requests', async () => {
    const { url } = await client.upload(await solidFile(64, 64, BLUE));
    for (const test of ['no_subject_found', 'processing_failed'] as const) {
      const { id } = await client.create(url, { operation: 'upscale', metadata: { test } });
      expect(await ended(id)).toMatchObject({ status: 'failed', error: { code: test } });
    }
  });

  it('runs slowly or returns an expired result when the metadata requests it', async () => {
    const { url } = await client.upload(await solidFile(64, 64, BLUE));
    const slow = await client.create(url, { operation: 'upscale', metadata: { test: 'slow' } });
    const expired = await client.create(url, { operation: 'upscale', metadata: { test: 'expired' } });
    const { resultUrl } = await ended(expired.id);
    expect((await fetch(resultUrl!)).status).toBe(410);
    expect((await client.until(slow.id, 'processing')).status).toBe('processing');
    // The slow job takes no slot: another job overtakes it.
    const quick = await client.create(url, { operation: 'upscale' });
    await ended(quick.id);
    expect((await client.job(slow.id)).status).toBe('processing');
    const { createdAt, completedAt } = await ended(slow.id);
    expect(Date.parse(completedAt!) - Date.parse(createdAt)).toBeGreaterThanOrEqual(15_000);
  });

  it('sends webhooks with livemode false, and only to test-mode endpoints', async () => {
    await service.database.rows('UPDATE api_keys SET scopes = $2 WHERE account_id = $1', [
      live.account.accountId,
      SCOPES.split(','),
    ]);
    const register = (caller: FlowClient, path: string) =>
      caller.request('POST', '/api/webhooks/endpoints', { url: receiver.url(path), events: ['*'] });
    expect((await register(client, '/test')).status).toBe(201);
    expect((await register(live, '/live')).status).toBe(201);
    const { url } = await client.upload(await solidFile(64, 64, BLUE));
    const batch = await client.request('POST', '/api/ai/batches', {
      sourceUrls: [url],
      operation: 'upscale',
    });
    expect(batch).toMatchObject({ status: 201, json: { livemode: false } });
    const bodies = await eventually('the batch to be told', () => {
      const seen = receiver.at('/test').map(({ body }) => JSON.parse(body) as SentEvent);
      const isThere = (wanted: string) => seen.some(({ type }) => type === wanted);
      const isComplete = isThere('batch.completed') && isThere('enhancement.completed');
      return isComplete ? { found: seen } : { seen };
    });
    expect(new Set(bodies.map(({ livemode }) => livemode))).toEqual(new Set([false]));
    const { data } = bodies.find(({ type }) => type === 'enhancement.completed')!;
    expect(data).toMatchObject({ job: { livemode: false, status: 'completed' } });
    await live.upload(await solidFile(64, 64, BLUE));
    const [first] = await eventually('the live upload to be told', () => {
      const seen = receiver.at('/live').map(({ body }) => JSON.parse(body) as SentEvent);
      return seen.length > 0 ? { found: seen } : { seen };
    });
    expect(first!.livemode).toBe(true);
    expect(['image.uploaded', 'upload.finished']).toContain(first!.type);
  });

  it('offers live keys no operation without a model', async () => {
    const { url } = await live.upload(await solidFile(64, 64, BLUE));
    const refused = await live.request('POST', '/api/ai/enhance', { sourceUrl: url, operation: 'upscale' });
    expect(refused).toMatchObject({ status: 400, json: { errors: [{ field: 'operation' }] } });
  });

  it('loses no job when its worker is killed', async () => {
    const { url } = await client.upload(await solidFile(64, 48, BLUE));
    const { id } = await client.create(url, { operation: 'upscale', metadata: { test: 'slow' } });
    await client.until(id, 'processing');
    expect(await service.killRole('worker')).toMatchObject({ signal: 'SIGKILL' });
    await service.startRole('worker', { MODELS_DIR: noModels });
    expect(await ended(id)).toMatchObject({ status: 'completed', error: null });
    expect((await service.files()).results.filter((name) => name.startsWith(id))).toHaveLength(1);
  });
});

interface SentEvent {
  readonly type: string;
  readonly livemode: boolean;
  readonly data: unknown;
}
