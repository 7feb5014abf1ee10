import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ImageEnhancement,
  InvalidRequestError,
  JobFailedError,
  QuotaExceededError,
  verifyWebhook,
} from '../../../clients/js/src/node.js';
import { recordingFetch } from '../../support/clients/recording-fetch.js';
import { smallPhoto } from '../../support/images/client-picture.js';
import { BUSY_ORDER, busyFile, rottenPng } from '../../support/images/flow-drawn.js';
import { ImageOrigin } from '../../support/network/image-origin.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { FlowWebhooks, WEBHOOK_ENV } from '../../support/webhooks/flow-webhooks.js';
import { WebhookReceiver } from '../../support/webhooks/webhook-receiver.js';

const ENV = {
  ...WEBHOOK_ENV,
  UPLOAD_FROM_URL_ALLOW_HTTP: 'true',
  UPLOAD_FROM_URL_ALLOW_NETWORKS: '127.0.0.0/8',
};
const ORDER = { operation: 'auto_enhance', level: 'low' } as const;
const CHAIN = {
  operations: [{ operation: 'smooth_skin', level: 'low' }, { operation: 'auto_enhance' }],
} as const;

/** Every option of a job request, as the JavaScript client sends it. */
describe('requests of the JavaScript client', () => {
  let service: FlowService;
  let origin: ImageOrigin;
  let receiver: WebhookReceiver;
  let client: ImageEnhancement;
  let key: string;
  let photo: Uint8Array<ArrayBuffer>;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    origin = await ImageOrigin.start();
    service = await FlowService.start({ models: ['auto_enhance', 'smooth_skin', 'upscale'], env: ENV });
    key = (await FlowWebhooks.of(service)).client.account.key;
    client = new ImageEnhancement({ baseUrl: service.baseUrl, apiKey: key });
    photo = await smallPhoto();
  });
  afterAll(async () => {
    await service?.close();
    await receiver?.down();
    await origin?.close();
  });

  describe('chains', () => {
    it('run several operations in one job', async () => {
      const { job } = await client.enhance(photo, CHAIN);
      expect(job.operations).toMatchObject([
        { operation: 'smooth_skin', level: 'low', timings: { inferenceMs: expect.any(Number) } },
        { operation: 'auto_enhance', level: 'medium' },
      ]);
    });

    it('cost one enhancement per operation', async () => {
      const { url } = await client.upload(photo);
      expect(await client.jobs.dryRun({ sourceUrl: url, ...CHAIN })).toMatchObject({ cost: 2, dryRun: true });
      const { account } = await service.client({ enhancements: 1 });
      const poor = new ImageEnhancement({ baseUrl: service.baseUrl, apiKey: account.key });
      await expect(poor.enhance(photo, CHAIN)).rejects.toThrow(QuotaExceededError);
    });

    it('are rejected with the index of the wrong operation', async () => {
      const { url } = await client.upload(photo);
      const wrong = client.jobs.create({
        sourceUrl: url,
        operations: [{ operation: 'auto_enhance' }, { operation: 'auto_enhance', scale: 2 }],
      });
      await expect(wrong).rejects.toThrow(InvalidRequestError);
      await expect(wrong).rejects.toMatchObject({
        fieldErrors: [expect.objectContaining({ field: expect.stringMatching(/^operations\.1\./) })],
      });
    });
  });

  describe('images on the web', () => {
    it('are fetched by the service, once per idempotency key', async () => {
      const address = origin.serve('/photo.png', Buffer.from(photo), 'image/png');
      const { job } = await client.enhance(`${address}?width=1`, { ...ORDER, idempotencyKey: 'web' });
      const again = await client.enhance(`${address}?width=1`, { ...ORDER, idempotencyKey: 'web' });
      expect(again.job.id).toBe(job.id);
      expect(origin.asked).toEqual(['/photo.png?width=1']);
      expect(await client.upload(new URL(address))).toMatchObject({ width: 48, height: 40 });
    });

    it('are rejected if they cannot be fetched, and leave nothing behind', async () => {
      const before = (await client.sources.list().all()).length;
      await expect(client.upload(origin.url('/missing.png'))).rejects.toMatchObject({
        code: 'url_fetch_failed',
      });
      await expect(client.enhance('https://10.0.0.1/x.png', ORDER)).rejects.toMatchObject({
        fieldErrors: [expect.objectContaining({ field: 'url' })],
      });
      expect(await client.sources.list().all()).toHaveLength(before);
    });
  });

  describe('the bytes of a result', () => {
    it('arrive in one request', async () => {
      const { fetch, requests } = recordingFetch();
      const mine = new ImageEnhancement({ baseUrl: service.baseUrl, apiKey: key, fetch });
      const bytes = await mine.enhanceInOneRequest(photo, {
        ...CHAIN,
        output: { format: 'webp', quality: 80 },
        metadata: { number: '4711' },
      });
      expect(Buffer.from(bytes).toString('latin1', 8, 12)).toBe('WEBP');
      expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /api/ai/enhance']);
      const {
        data: [job],
      } = await client.jobs.list({ limit: 1 });
      expect(job).toMatchObject({ metadata: { number: '4711' }, output: { format: 'webp', quality: 80 } });
    });

    it('arrive later when the service does not hold the response', async () => {
      const { fetch, requests } = recordingFetch((_request, init) => {
        delete (init.headers as Record<string, string>)['prefer'];
        return undefined;
      });
      const mine = new ImageEnhancement({ baseUrl: service.baseUrl, apiKey: key, fetch });
      const phases: string[] = [];
      const bytes = await mine.enhanceInOneRequest(photo, {
        ...ORDER,
        onProgress: ({ phase }) => phases.push(phase),
      });
      expect(Buffer.from(bytes).toString('latin1', 1, 4)).toBe('PNG');
      expect(requests.length).toBeGreaterThan(2);
      expect([phases[0], phases.at(-1)]).toEqual(['uploading', 'completed']);
    });

    it('are replaced by the error of a failed job, without another attempt', async () => {
      const { fetch, requests } = recordingFetch();
      const mine = new ImageEnhancement({ baseUrl: service.baseUrl, apiKey: key, fetch });
      const failed = mine.enhanceInOneRequest(rottenPng(), ORDER);
      await expect(failed).rejects.toThrow(JobFailedError);
      await expect(failed).rejects.toMatchObject({
        code: 'undecodable_image',
        jobId: expect.stringMatching(/^job_/),
      });
      expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
    });

    it('are paid for once, even if the response is lost', async () => {
      let isLost = false;
      const { fetch } = recordingFetch();
      const losing: typeof globalThis.fetch = async (input, init) => {
        const answer = await fetch(input, init);
        if (isLost) return answer;
        isLost = true;
        throw new TypeError('the connection broke');
      };
      const { account } = await service.client();
      const mine = new ImageEnhancement({ baseUrl: service.baseUrl, apiKey: account.key, fetch: losing });
      expect((await mine.enhanceInOneRequest(photo, ORDER)).length).toBeGreaterThan(100);
      expect((await mine.usage()).enhancements.used).toBe(1);
    });

    it('are abandoned on abort, which cancels the job', async () => {
      const { account } = await service.client();
      const mine = new ImageEnhancement({ baseUrl: service.baseUrl, apiKey: account.key });
      const stop = new AbortController();
      const failed = mine.enhanceInOneRequest(await busyFile(), { ...BUSY_ORDER, signal: stop.signal });
      await eventually('the job', async () => {
        const [job] = await mine.jobs.list().all();
        return { found: job };
      });
      stop.abort();
      await expect(failed).rejects.toMatchObject({ name: 'AbortedError' });
      const [job] = await mine.jobs.list().all();
      expect(job).toMatchObject({ error: { code: 'canceled' } });
    });
  });

  it('can reuse the result of an equal job, and choose how long it is kept', async () => {
    const { url } = await client.upload(photo);
    const order = { ...ORDER, output: { quality: 77, format: 'jpeg' } } as const;
    const { job: first } = await client.enhance(url, { ...order, expiresIn: 3_600 });
    const keptMs = Date.parse(first.result!.expiresAt) - Date.parse(first.completedAt!);
    expect(Math.abs(keptMs - 3_600_000)).toBeLessThan(60_000);
    expect(await client.jobs.dryRun({ sourceUrl: url, ...order, cache: true })).toMatchObject({
      cached: true,
    });
    const { job } = await client.enhance(url, { ...order, cache: true });
    expect(job).toMatchObject({ cached: true });
    expect((await client.enhance(url, { ...order, cache: false })).job).not.toHaveProperty('cached');
  });

  it('can set a cancellation deadline, and have a result erased on delivery', async () => {
    const source = await client.upload(photo);
    const job = await client.jobs.create({ sourceUrl: source.url, ...ORDER, cancelAfter: '60s' });
    expect(Date.parse(job.cancelAt!) - Date.parse(job.createdAt)).toBe(60_000);
    const result = await client.enhance(photo, { ...ORDER, retention: 'deliver' });
    expect(result.job.retention).toBe('deliver');
    await result.bytes();
    await eventually('the pixels to be gone', async () => {
      const error = await result.bytes({ maxRetries: 0 }).catch((thrown: { status?: number }) => thrown);
      return (error as { status?: number }).status === 410 ? { found: true } : { seen: error };
    });
  });

  it('can have a callback, signed with the callback secret', async () => {
    const { callbackSecret } = client.webhooks;
    expect(await callbackSecret.get()).toMatchObject({ createdAt: null });
    const { secret } = await callbackSecret.rotate();
    expect(await callbackSecret.get()).toMatchObject({ createdAt: expect.any(String) });
    const { job } = await client.enhance(photo, { ...ORDER, callbackUrl: receiver.url('/done/4711') });
    const request = await eventually('the callback', () => ({ found: receiver.at('/done/4711')[0] }));
    const header = request.headers['x-service-signature'];
    const event = await verifyWebhook(request.body, header, secret);
    expect(event).toMatchObject({ type: 'enhancement.completed', data: { job: { id: job.id } } });
    await expect(verifyWebhook(request.body, header, 'whsec_other')).rejects.toMatchObject({
      code: 'signature_mismatch',
    });
    const { secret: next } = await callbackSecret.rotate({ overlapSeconds: 60 });
    expect(next).not.toBe(secret);
  });
});
