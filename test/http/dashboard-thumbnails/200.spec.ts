import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readHeader } from '../../../src/infra/image/containers/header.js';
import { ObjectStore } from '../../../src/infra/storage/object-store.js';
import { SourcesRepository } from '../../../src/uploads/sources/sources.repository.js';
import { thumbnailKey } from '../../../src/uploads/thumbnails/thumbnail.js';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { hugePng, photo } from '../../support/images/images.js';

let harness: Harness;
let account: TestAccount;
let browser: DashboardClient;
let store: ObjectStore;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
  browser = new DashboardClient(harness);
  await browser.signInto(account);
  store = harness.app.get(ObjectStore);
});
afterAll(() => harness.close());

const ask = (id: string, headers: Readonly<Record<string, string>> = {}) =>
  browser.call('GET', `/ai/sources/${id}/thumbnail`, { headers });

describe('GET /dashboard/api/ai/sources/:id/thumbnail', () => {
  it('returns a small WebP of a large photo, which the browser may cache', async () => {
    const { id } = await harness.newSource(account, await photo(1600, 1200, 'jpeg'));
    const { status, headers, body } = await ask(id);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, max-age=86400',
      etag: expect.stringMatching(/^"thumbnail-[0-9a-f]{32}"$/) as string,
    });
    expect(await readHeader(body as Buffer, { maxPixels: 1e6 })).toMatchObject({
      format: 'webp',
      width: 320,
      height: 240,
    });
    expect((body as Buffer).length).toBeLessThan(30_000);
    const again = await ask(id, { 'if-none-match': headers['etag']! });
    expect({ status: again.status, text: again.text ?? '' }).toEqual({ status: 304, text: '' });
  });

  it('creates it once, even for concurrent requests, and stores it', async () => {
    const { id } = await harness.newSource(account);
    const put = vi.spyOn(store, 'put');
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(id)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect((await ask(id)).status).toBe(200);
    expect(put.mock.calls.map(([key]) => key)).toEqual([thumbnailKey(id)]);
    put.mockRestore();
    await store.put(thumbnailKey(id), Buffer.from('small picture'));
    expect(((await ask(id)).body as Buffer).toString()).toBe('small picture');
  });

  it('returns it even if it cannot be stored', async () => {
    const { id } = await harness.newSource(account);
    const put = vi.spyOn(store, 'put').mockRejectedValue(new Error('the disk is full'));
    expect((await ask(id)).status).toBe(200);
    put.mockRestore();
  });

  it('deletes the thumbnail with its photo, even if the photo is deleted while it is created', async () => {
    const { id } = await harness.newSource(account);
    expect((await ask(id)).status).toBe(200);
    expect((await browser.call('DELETE', `/ai/sources/${id}`)).status).toBe(204);
    expect((await ask(id)).status).toBe(410);
    await expect(store.read(thumbnailKey(id))).rejects.toMatchObject({ code: 'gone' });

    const late = await harness.newSource(account);
    const write = store.put.bind(store);
    const put = vi.spyOn(store, 'put').mockImplementation(async (key, data) => {
      expect((await browser.call('DELETE', `/ai/sources/${late.id}`)).status).toBe(204);
      await write(key, data);
    });
    await ask(late.id);
    put.mockRestore();
    await expect(store.read(thumbnailKey(late.id))).rejects.toMatchObject({ code: 'gone' });
  });

  it('stands in for the result of a job that has none yet', async () => {
    const { id, sourceUrl } = await harness.newJob(account);
    const { thumbnailUrl } = (await browser.call('GET', `/ai/enhance/${id}`)).body as {
      thumbnailUrl: string;
    };
    expect(sourceUrl).toContain(thumbnailUrl.split('/').at(-2)!);
    const { status, headers } = await browser.call('GET', thumbnailUrl.replace('/dashboard/api', ''));
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'image/webp' });
  });
});

/** Interlaced RGBA with 16 bits, of which a decoder has to keep every sample. */
function interlaced(png: Buffer): Buffer {
  const header = { from: 12, depth: 24, color: 25, interlace: 28, checksum: 29 };
  png[header.depth] = 16;
  png[header.color] = 6;
  png[header.interlace] = 1;
  png.writeUInt32BE(crc32(png.subarray(header.from, header.checksum)), header.checksum);
  return png;
}

describe('GET /dashboard/api/ai/sources/:id/thumbnail, refused', () => {
  it('returns 404 for photos of other accounts and for unknown IDs', async () => {
    const theirs = await harness.newSource(await harness.createAccount());
    for (const id of [theirs.id, 'src_0', 'nothing', `src_${'0'.repeat(32)}`])
      expect((await ask(id)).status).toBe(404);
  });

  it('returns 422 for a photo that cannot be decoded or would take too much memory', async () => {
    const replaced = async (bytes: Buffer) => {
      const { id } = await harness.newSource(account);
      const source = await harness.app.get(SourcesRepository).find(account.id, id);
      await store.put(source!.objectKey, bytes);
      return id;
    };
    const damaged = await ask(await replaced(Buffer.from('no photo any more')));
    expect({ status: damaged.status, code: (damaged.body as { code: string }).code }).toEqual({
      status: 422,
      code: 'undecodable_image',
    });
    const tooLarge = await replaced(interlaced(hugePng(7_000, 7_000)));
    const large = await ask(tooLarge);
    expect({ status: large.status, code: (large.body as { code: string }).code }).toEqual({
      status: 422,
      code: 'too_many_pixels',
    });
    const read = vi.spyOn(store, 'read');
    expect((await ask(tooLarge)).body).toMatchObject({
      code: 'too_many_pixels',
      detail: expect.stringContaining('memory') as string,
    });
    expect(read.mock.calls).toEqual([[thumbnailKey(tooLarge)]]);
    read.mockRestore();
  });
});
