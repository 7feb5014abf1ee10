import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  AuthenticationError,
  type EnhanceProgress,
  GoneError,
  ImageEnhancement,
  InvalidImageError,
  InvalidRequestError,
  JobFailedError,
  NotFoundError,
  PermissionError,
  QuotaExceededError,
  TimeoutError,
} from '../../../clients/js/src/node.js';
import { smallPhoto } from '../../support/images/client-picture.js';
import { BUSY_ORDER, busyFile, rottenPng } from '../../support/images/flow-drawn.js';
import { SharedService } from '../../support/roles/shared-service.js';

const ORDER = { operation: 'upscale', level: 'low' } as const;

describe('the JavaScript client and the service', () => {
  let service: SharedService;
  let client: ImageEnhancement;
  let photo: Uint8Array<ArrayBuffer>;
  let folder: string;
  let file: string;

  const newClient = async (limits: Parameters<SharedService['client']>[0] = {}) => {
    const { account } = await service.client(limits);
    return new ImageEnhancement({ baseUrl: service.baseUrl, apiKey: account.key });
  };

  beforeAll(async () => {
    service = await SharedService.join();
    client = await newClient();
    photo = await smallPhoto();
    folder = await mkdtemp(join(tmpdir(), 'ies-client-'));
    file = join(folder, 'photo.png');
    await writeFile(file, photo);
  });
  afterAll(async () => {
    await service?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('enhances a photo in one call and reports progress', async () => {
    const seen: EnhanceProgress[] = [];
    const result = await client.enhance(file, {
      ...ORDER,
      output: { format: 'jpeg', quality: 80 },
      metadata: { order: '4711' },
      onProgress: (progress) => seen.push(progress),
    });
    expect(result.job).toMatchObject({ status: 'completed', ...ORDER, metadata: { order: '4711' } });
    expect(result.info).toMatchObject({ format: 'jpeg', width: 96, height: 80 });
    const bytes = await result.bytes();
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(result.info.sha256);
    expect((await result.blob()).type).toBe('image/jpeg');
    expect(Buffer.from(await (await fetch(result.url)).arrayBuffer()).equals(bytes)).toBe(true);
    await result.save(join(folder, 'out.jpg'));
    expect((await readFile(join(folder, 'out.jpg'))).equals(bytes)).toBe(true);
    expect((await readdir(folder)).toSorted()).toEqual(['out.jpg', 'photo.png']);
    expect(seen[0]).toEqual({ phase: 'uploading', progress: 0, queuePosition: null, job: null });
    expect(seen.at(-1)).toMatchObject({ phase: 'completed', progress: 1, job: { id: result.job.id } });
    // Progress rises first for the upload, then for the job.
    for (const isUpload of [true, false]) {
      const steps = seen.filter(({ phase }) => (phase === 'uploading') === isUpload);
      const order = steps.map(({ progress }) => progress);
      expect(order).toEqual(order.toSorted((a, b) => a - b));
      expect(order.at(-1)).toBe(1);
    }
  });

  it('accepts every form of a file', async () => {
    const forms = {
      bytes: photo,
      arrayBuffer: photo.buffer,
      buffer: Buffer.from(photo),
      blob: new Blob([photo]),
      file: new File([photo], 'x.png'),
      nodeStream: createReadStream(file),
      webStream: Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>,
      generator: (async function* chunks() {
        yield photo.subarray(0, 100);
        yield photo.subarray(100);
      })(),
    };
    for (const [name, form] of Object.entries(forms)) {
      const source = await client.upload(form);
      expect(source, name).toMatchObject({ format: 'png', width: 48, height: 40, bytes: photo.length });
    }
  });

  it('enhances an existing upload', async () => {
    const source = await client.upload(file);
    for (const image of [source, source.url, new URL(source.url)]) {
      const { job } = await client.enhance(image, { operation: 'auto_enhance' });
      expect(job.status).toBe('completed');
    }
    expect(await client.sources.get(source.id)).toMatchObject({ id: source.id });
  });

  it('creates one job per idempotency key', async () => {
    const first = await client.enhance(file, { ...ORDER, idempotencyKey: 'order-1' });
    const second = await client.enhance(file, { ...ORDER, idempotencyKey: 'order-1' });
    expect(second.job.id).toBe(first.job.id);
    await expect(
      client.enhance(file, { operation: 'bg_remove', idempotencyKey: 'order-1' }),
    ).rejects.toMatchObject({ code: 'idempotency_mismatch' });
  });

  it('creates, gets, awaits, lists, cancels and deletes jobs', async () => {
    const mine = await newClient();
    const source = await mine.upload(photo);
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      ids.unshift((await mine.jobs.create({ sourceUrl: source.url, ...ORDER })).id);
    }
    await Promise.all(ids.map((id) => mine.jobs.wait(id)));
    expect(await mine.jobs.get(ids[0]!)).toMatchObject({ status: 'completed' });
    const seen: string[] = [];
    for await (const job of mine.jobs.list({ limit: 2, status: 'completed' })) seen.push(job.id);
    expect(seen).toEqual(ids);
    const page = await mine.jobs.list({ limit: 3 });
    expect(page.data).toHaveLength(3);
    expect((await page.next())!.data).toHaveLength(2);
    const after = new Date(Date.now() + 60_000);
    expect(await mine.jobs.list({ createdAfter: after }).all()).toEqual([]);
    await expect(mine.jobs.cancel(ids[0]!)).rejects.toMatchObject({ code: 'job_already_finished' });
    await mine.jobs.delete(ids[0]!);
    await expect(mine.jobs.get(ids[0]!)).rejects.toThrow(GoneError);
    await mine.sources.delete(source.id);
    await expect(mine.sources.get(source.id)).rejects.toThrow(GoneError);
    expect(await mine.sources.list().all()).toEqual([]);
  });

  it('returns usage and operations', async () => {
    const usage = await client.usage();
    expect(usage).toMatchObject({ plan: 'enterprise', enhancements: { used: expect.any(Number) } });
    const { data: csv, requestId } = await client.exportUsage().withResponse();
    expect(csv.split('\r\n')[0]).toBe('day,key_id,key_name,operation,enhancements');
    expect(csv).toMatch(/^\d{4}-\d\d-\d\d,key_\w+,.*,upscale,\d+\r$/m);
    expect(requestId).not.toBeNull();
    expect((await client.exportUsage({ from: '2020-01-01', to: '2020-01-02' })).trim()).not.toContain('\n');
    const operations = await client.operations();
    expect(operations.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(['auto_enhance', 'bg_remove', 'smooth_skin', 'upscale']),
    );
  });

  it('fails with the error of the job', async () => {
    const error = await client.enhance(rottenPng(), ORDER).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(JobFailedError);
    expect(error).toMatchObject({ code: 'undecodable_image', retryable: false, job: { status: 'failed' } });
  });

  it('fails with the error of the service', async () => {
    const stranger = new ImageEnhancement({ baseUrl: service.baseUrl, apiKey: 'ies_nonsense' });
    await expect(stranger.usage()).rejects.toThrow(AuthenticationError);
    await expect(client.enhance(Buffer.from('not an image'), ORDER)).rejects.toThrow(InvalidImageError);
    await expect(client.jobs.get('job_00000000000000000000000000000000')).rejects.toThrow(NotFoundError);
    await expect(client.webhooks.endpoints.list()).rejects.toThrow(PermissionError);
    const wrong = client.jobs.create({ sourceUrl: 'x', operation: 'upscale', level: 'extreme' as never });
    await expect(wrong).rejects.toThrow(InvalidRequestError);
    await expect(wrong).rejects.toMatchObject({
      code: 'invalid_request',
      requestId: expect.stringMatching(/^req_/),
      fieldErrors: expect.arrayContaining([expect.objectContaining({ field: 'level' })]),
    });
  });

  it('does not upload a file that is too large', async () => {
    const large = new Uint8Array(20 * 2 ** 20 + 1);
    await expect(client.upload(large)).rejects.toMatchObject({ code: 'payload_too_large', requestId: null });
    await writeFile(join(folder, 'large.bin'), large);
    await expect(client.upload(join(folder, 'large.bin'))).rejects.toThrow(InvalidImageError);
    await expect(client.upload(createReadStream(join(folder, 'large.bin')))).rejects.toThrow(
      InvalidImageError,
    );
    await rm(join(folder, 'large.bin'));
    await expect(client.upload(join(folder, 'missing.jpg'))).rejects.toMatchObject({
      code: 'invalid_file',
      message: expect.stringMatching(/missing\.jpg cannot be read: no such file or directory\.$/),
    });
  });

  it('reports which quota is used up, and the plan that helps', async () => {
    const poor = await newClient({ enhancements: 1 });
    await poor.enhance(file, ORDER);
    const error = await poor.enhance(file, ORDER).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(QuotaExceededError);
    expect(error).toMatchObject({ code: 'quota_exceeded', quota: 'enhancements', limit: 1, used: 1 });
    expect((error as QuotaExceededError).resetsAt).toBeInstanceOf(Date);
    expect((error as QuotaExceededError).upgrade?.url).toMatch(/^http/);
  });

  it('cancels the job when the call is aborted, so that it costs nothing', async () => {
    const mine = await newClient();
    const reason = new Error('the person went away');
    const abort = new AbortController();
    const failed = mine.enhance(await busyFile(), {
      ...BUSY_ORDER,
      signal: abort.signal,
      onProgress: ({ phase }) => {
        if (phase === 'processing') abort.abort(reason);
      },
    });
    await expect(failed).rejects.toMatchObject({ name: 'AbortedError', cause: reason });
    const [job] = await mine.jobs.list().all();
    expect(job).toMatchObject({ status: 'failed', error: { code: 'canceled' } });
    expect((await mine.usage()).enhancements.used).toBe(0);
  });

  it('stops waiting at its timeout, while the job continues', async () => {
    const mine = await newClient();
    const source = await mine.upload(await busyFile());
    const job = await mine.jobs.create({ sourceUrl: source.url, ...BUSY_ORDER });
    const error = await mine.jobs.wait(job.id, { timeoutMs: 100 }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ code: 'timeout', jobId: job.id });
    const result = await mine.result(job.id);
    expect(result.job.status).toBe('completed');
    const hurried = mine.enhance(source, { ...BUSY_ORDER, timeoutMs: 300 });
    await expect(hurried).rejects.toMatchObject({ code: 'timeout', jobId: expect.stringMatching(/^job_/) });
    expect(await mine.jobs.list({ status: 'failed' }).all()).toEqual([]);
  });
});
