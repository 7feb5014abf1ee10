import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type BatchDetail,
  ConflictError,
  ImageEnhancement,
  InvalidRequestError,
  QuotaExceededError,
} from '../../../clients/js/src/node.js';
import { recordingFetch } from '../../support/clients/recording-fetch.js';
import { smallPhoto } from '../../support/images/client-picture.js';
import { BUSY_ORDER, busyFile, rottenPng } from '../../support/images/flow-drawn.js';
import { contentsOf } from '../../support/app/batch-archive.js';
import { SharedService } from '../../support/roles/shared-service.js';

const ORDER = { operation: 'auto_enhance', level: 'low' } as const;

describe('batches of the JavaScript client', () => {
  let service: SharedService;
  let client: ImageEnhancement;
  let key: string;
  let good: string;
  let rotten: string;
  let folder: string;

  const newKey = async (limits: Parameters<SharedService['client']>[0] = {}) =>
    (await service.client(limits)).account.key;
  const clientOf = (apiKey: string, fetch?: typeof globalThis.fetch) =>
    new ImageEnhancement({ baseUrl: service.baseUrl, apiKey, fetch });

  beforeAll(async () => {
    service = await SharedService.join();
    key = await newKey();
    client = clientOf(key);
    good = (await client.upload(await smallPhoto())).url;
    rotten = (await client.upload(rottenPng())).url;
    folder = await mkdtemp(join(tmpdir(), 'ies-batches-'));
  });
  afterAll(async () => {
    await service?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('can be created, awaited, and read item by item', async () => {
    const seen: BatchDetail[] = [];
    const { id, skipped } = await client.batches.create({ sourceUrls: [good, rotten, good], ...ORDER });
    expect(skipped).toEqual([]);
    const batch = await client.batches.wait(id, { onProgress: (each) => seen.push(each) });
    expect(batch).toMatchObject({ status: 'completed', percent: 100, counts: { completed: 2, failed: 1 } });
    expect(batch.failures).toMatchObject([{ index: 1, error: { code: 'undecodable_image' } }]);
    expect(seen.at(-1)).toEqual(batch);
    // A URL is signed again for each response, with the time of its second.
    const { sourceUrl: _signed, ...failure } = batch.failures[0]!;
    const failures = [{ ...failure, sourceUrl: expect.stringContaining('/files/src_') as string }];
    expect(await client.batches.get(id)).toEqual({ ...batch, failures });
    const items = await client.batches.items(id, { limit: 1, status: 'completed' }).all();
    expect(items.map(({ batchIndex }) => batchIndex)).toEqual([0, 2]);
    const bytes = await (await client.result(items[1]!)).bytes();
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(items[1]!.result!.sha256);
    const listed = [];
    for await (const each of client.batches.list({ limit: 1 })) listed.push(each.id);
    expect(listed).toContain(id);
  });

  it('can retry failed items, once per idempotency key', async () => {
    const { id } = await client.batches.create({ sourceUrls: [rotten], ...ORDER });
    await client.batches.wait(id);
    const first = await client.batches.retry(id, {}, { idempotencyKey: 'again' });
    expect(first).toMatchObject({ id, counts: { total: 1, failed: 0 } });
    expect(await client.batches.retry(id, {}, { idempotencyKey: 'again' })).toEqual(first);
    await client.batches.wait(id);
    const { id: whole } = await client.batches.create({ sourceUrls: [good], ...ORDER });
    await client.batches.wait(whole);
    await expect(client.batches.retry(whole)).rejects.toMatchObject({ code: 'nothing_to_retry' });
  });

  it('are created once per idempotency key, even if the response is lost', async () => {
    let isLost = false;
    const { fetch, requests } = recordingFetch();
    const losing: typeof globalThis.fetch = async (input, init) => {
      const answer = await fetch(input, init);
      if (init?.method !== 'POST' || isLost) return answer;
      isLost = true;
      throw new TypeError('the connection broke');
    };
    const mine = clientOf(await newKey(), losing);
    const source = await mine.upload(await smallPhoto());
    isLost = false;
    const { id } = await mine.batches.create({ sourceUrls: [source.url], ...ORDER });
    expect(
      requests.filter(({ path, method }) => method === 'POST' && path.endsWith('/batches')),
    ).toHaveLength(2);
    expect((await mine.batches.list().all()).map((each) => each.id)).toEqual([id]);
  });

  it('report bad items by index, and respect the quota', async () => {
    const bad = client.batches.create({ sourceUrls: [good, 'nonsense'], ...ORDER });
    await expect(bad).rejects.toThrow(InvalidRequestError);
    await expect(bad).rejects.toMatchObject({
      fieldErrors: [expect.objectContaining({ field: 'sourceUrls.1' })],
    });
    const poor = clientOf(await newKey({ enhancements: 1 }));
    const { url } = await poor.upload(await smallPhoto());
    const order = { sourceUrls: [url, url], ...ORDER };
    await expect(poor.batches.create(order)).rejects.toThrow(QuotaExceededError);
    await expect(poor.batches.dryRun(order)).rejects.toThrow(QuotaExceededError);
    const would = await poor.batches.dryRun({ ...order, onQuota: 'partial' });
    expect(would).toMatchObject({ dryRun: true, total: 1, cost: 1, skipped: [{ index: 1 }] });
    expect((await poor.usage()).enhancements.used).toBe(0);
    const partial = await poor.batches.create({ ...order, onQuota: 'partial' });
    expect(partial.skipped).toMatchObject([{ index: 1, reason: 'quota_exceeded' }]);
  });

  it('can be canceled, even twice', async () => {
    const mine = clientOf(await newKey());
    const { url } = await mine.upload(await busyFile());
    const { id } = await mine.batches.create({ sourceUrls: [url, url, url], ...BUSY_ORDER });
    expect(await mine.batches.cancel(id)).toMatchObject({ id });
    expect(await mine.batches.wait(id)).toMatchObject({ status: 'canceled' });
    expect(await mine.batches.cancel(id)).toMatchObject({ status: 'canceled' });
    expect((await mine.usage()).enhancements.used).toBe(0);
  });

  it('continue when a wait for them times out', async () => {
    const { url } = await client.upload(await busyFile(320));
    const { id } = await client.batches.create({ sourceUrls: [url], ...BUSY_ORDER });
    await expect(client.batches.wait(id, { timeoutMs: 50 })).rejects.toMatchObject({ code: 'timeout' });
    await expect(client.batches.results(id).save(join(folder, 'early.zip'))).rejects.toThrow(ConflictError);
    expect(await readdir(folder)).toEqual([]);
    expect(await client.batches.wait(id)).toMatchObject({ status: 'completed' });
  });

  describe('return their results as one archive', () => {
    let id: string;
    let whole: Buffer;
    beforeAll(async () => {
      const big = (await client.upload(await busyFile(160))).url;
      ({ id } = await client.batches.create({ sourceUrls: [good, big, big], ...ORDER }));
      await client.batches.wait(id);
      whole = Buffer.from(await new Response(client.batches.results(id).stream()).arrayBuffer());
    });

    /** Cuts off the first responses after a part of their bodies. */
    const cutting = (parts: number, partBytes: number) => {
      let left = parts;
      const { fetch, requests } = recordingFetch();
      const cut: typeof globalThis.fetch = async (input, init) => {
        const answer = await fetch(input, init);
        if (!(input as string).endsWith('results.zip') || left === 0) return answer;
        left -= 1;
        const reader = answer.body!.getReader();
        let sentBytes = 0;
        const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
          if (sentBytes === partBytes) {
            await reader.cancel();
            controller.error(new TypeError('terminated'));
            return;
          }
          const { value } = await reader.read();
          const piece = value!.subarray(0, partBytes - sentBytes);
          sentBytes += piece.length;
          controller.enqueue(piece);
        };
        const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
        return new Response(body, { status: answer.status, headers: answer.headers });
      };
      return { client: clientOf(key, cut), requests };
    };

    it('as a complete stream', () => {
      const { names, manifest } = contentsOf(whole);
      expect(names).toHaveLength(4);
      expect(manifest).toMatchObject({ batchId: id, items: { length: 3 } });
    });

    it('across broken connections, each resumed where it broke', async () => {
      const { client: cut, requests } = cutting(6, 1_000);
      const stream = cut.batches.results(id).stream();
      expect(Buffer.from(await new Response(stream).arrayBuffer()).equals(whole)).toBe(true);
      const ranges = requests.map(({ headers }) => headers.get('range'));
      expect(ranges.slice(0, 4)).toEqual([null, 'bytes=1000-', 'bytes=2000-', 'bytes=3000-']);
    });

    it('in a file that another process can resume', async () => {
      const path = join(folder, 'results.zip');
      const partBytes = whole.length - 1_000;
      expect(partBytes).toBeGreaterThan(80_000);
      const { client: cut } = cutting(1, partBytes);
      const broken = cut.batches.results(id).save(path, { maxRetries: 0 });
      await expect(broken).rejects.toMatchObject({ code: 'connection_failed' });
      const [part] = await readdir(folder);
      expect(part).toMatch(/^\.results\.zip\.[0-9a-f]{32}\.part$/);
      const { fetch, requests } = recordingFetch();
      const seen: number[] = [];
      await clientOf(key, fetch)
        .batches.results(id)
        .save(path, { onProgress: ({ receivedBytes }) => seen.push(receivedBytes) });
      expect(requests.map(({ headers }) => headers.get('range'))).toEqual([`bytes=${partBytes - 65_536}-`]);
      expect(seen.at(-1)).toBe(whole.length);
      expect((await readFile(path)).equals(whole)).toBe(true);
      expect(await readdir(folder)).toEqual(['results.zip']);
    });

    it('but fail a stream when a result is deleted, rather than mix two archives', async () => {
      const { id: other } = await client.batches.create({ sourceUrls: [good, good], ...ORDER });
      await client.batches.wait(other);
      const { client: cut } = cutting(1, 1_000);
      const reader = cut.batches.results(other).stream().getReader();
      await reader.read();
      const [first] = await client.batches.items(other).all();
      await client.jobs.delete(first!.id);
      await expect(
        (async () => {
          while (!(await reader.read()).done);
        })(),
      ).rejects.toMatchObject({ code: 'archive_changed' });
      const path = join(folder, 'other.zip');
      await client.batches.results(other).save(path);
      expect(contentsOf(await readFile(path)).names).toHaveLength(2);
    });
  });
});
