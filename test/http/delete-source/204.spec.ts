import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ObjectErasures } from '../../../src/infra/storage/object-erasures.js';
import { ObjectStore } from '../../../src/infra/storage/object-store.js';
import { type Harness, PUBLIC_URL, type TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

const remove = (id: string) => harness.call('DELETE', `/api/ai/sources/${id}`, { key: account.key });

describe('DELETE /api/ai/sources/:id → 204', () => {
  it('erases the pixels at once and frees their storage', async () => {
    const before = await harness.footprint();
    const { id, url } = await harness.newSource(account);
    const { status, text } = await remove(id);
    expect([status, text]).toEqual([204, '']);
    const after = await harness.footprint();
    expect([after.objects, after.storageBytes]).toEqual([before.objects, before.storageBytes]);
    expect((await harness.call('GET', url.replace(PUBLIC_URL, ''))).status).toBe(410);
  });

  it('leaves the pixels to the dispatcher while the store fails', async () => {
    const before = await harness.footprint();
    const { id } = await harness.newSource(account);
    const deleting = vi
      .spyOn(harness.app.get(ObjectStore), 'delete')
      .mockRejectedValue(new Error('the store is away'));
    try {
      expect((await remove(id)).status).toBe(204);
    } finally {
      deleting.mockRestore();
    }
    const { objects, storageBytes } = await harness.footprint();
    expect([objects, storageBytes]).toEqual([before.objects + 1, before.storageBytes]);
    await harness.app.get(ObjectErasures).erase(100);
    expect((await harness.footprint()).objects).toBe(before.objects);
    expect(
      await harness.rows(`SELECT 1 FROM object_erasures WHERE object_key LIKE '%' || $1 || '%'`, [id]),
    ).toEqual([]);
  });

  it('frees the storage once when many requests arrive at the same time', async () => {
    const { id, bytes } = await harness.newSource(account);
    const before = await harness.footprint();
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => remove(id)))).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted((a, b) => a - b)).toEqual([204, ...Array<number>(7).fill(410)]);
    expect((await harness.footprint()).storageBytes).toBe(before.storageBytes - bytes);
  });

  it('keeps the results that were made from it', async () => {
    const source = await harness.newSource(account);
    const { id } = await harness.newJob(account, { sourceUrl: source.url });
    await harness.jobs.complete(id, Buffer.from('kept'));
    await remove(source.id);
    const { body } = await harness.call('GET', `/api/ai/enhance/${id}`, { key: account.key });
    const { resultUrl } = body as { resultUrl: string };
    const read = await harness.call('GET', resultUrl.replace(PUBLIC_URL, ''));
    expect([read.status, String(read.body)]).toEqual([200, 'kept']);
  });
});
