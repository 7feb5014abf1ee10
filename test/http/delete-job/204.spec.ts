import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ObjectErasures } from '../../../src/infra/storage/object-erasures.js';
import { ObjectStore } from '../../../src/infra/storage/object-store.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
  await harness.listen(account);
});
afterAll(() => harness.close());

const remove = (id: string) => harness.call('DELETE', `/api/ai/enhance/${id}`, { key: account.key });

describe('DELETE /api/ai/enhance/:id → 204', () => {
  it('erases the result at once and frees its storage, but refunds nothing', async () => {
    const { url } = await harness.newSource(account);
    const without = await harness.footprint();
    const { id } = await harness.newJob(account, { sourceUrl: url });
    await harness.jobs.complete(id, Buffer.alloc(5_000));
    const before = await harness.footprint();
    expect(before.objects).toBe(without.objects + 1);
    const { status, text } = await remove(id);
    expect([status, text]).toEqual([204, '']);
    expect(await harness.footprint()).toEqual({
      ...before,
      objects: without.objects,
      storageBytes: without.storageBytes,
    });
  });

  it('leaves the objects to the dispatcher while the store fails', async () => {
    const { id: sourceId, url } = await harness.newSource(account);
    const { id } = await harness.newJob(account, { sourceUrl: url, retention: 'deliver' });
    await harness.jobs.complete(id, Buffer.alloc(5_000));
    const before = await harness.footprint();
    const deleting = vi
      .spyOn(harness.app.get(ObjectStore), 'delete')
      .mockRejectedValue(new Error('the store is away'));
    try {
      expect((await remove(id)).status).toBe(204);
    } finally {
      deleting.mockRestore();
    }
    const recorded = () =>
      harness.rows<{ key: string }>(
        `SELECT object_key AS key FROM object_erasures
          WHERE object_key LIKE '%' || $1 || '%' OR object_key LIKE '%' || $2 || '%'`,
        [id, sourceId],
      );
    expect(await recorded()).toHaveLength(4);
    expect((await harness.footprint()).objects).toBe(before.objects);
    await harness.app.get(ObjectErasures).erase(100);
    expect(await recorded()).toEqual([]);
    expect((await harness.footprint()).objects).toBe(before.objects - 2);
  });

  it('cancels an unfinished job, and refunds it', async () => {
    for (const claimed of [false, true]) {
      const { id } = await harness.newJob(account);
      const lease = claimed ? await harness.jobs.claim(id) : undefined;
      const before = await harness.footprint();
      expect((await remove(id)).status).toBe(204);
      const after = await harness.footprint();
      expect(after.enhancementsUsed).toBe(before.enhancementsUsed - 1);
      expect((await harness.eventTypes(account)).at(-1)).toBe('enhancement.failed');
      if (lease !== undefined)
        expect(await harness.jobs.completeLease(lease, Buffer.from('late'))).toBe(false);
    }
  });

  it('leaves the source and its other jobs alone', async () => {
    const { id: sourceId, url } = await harness.newSource(account);
    const [gone, kept] = [
      await harness.newJob(account, { sourceUrl: url }),
      await harness.newJob(account, { sourceUrl: url }),
    ];
    await remove(gone.id);
    for (const path of [`/api/ai/sources/${sourceId}`, `/api/ai/enhance/${kept.id}`]) {
      expect((await harness.call('GET', path, { key: account.key })).status).toBe(200);
    }
  });

  it('frees the storage once when many requests arrive at the same time', async () => {
    const { id } = await harness.newJob(account);
    await harness.jobs.complete(id, Buffer.alloc(3_000));
    const before = await harness.footprint();
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => remove(id)))).map(
      ({ status }) => status,
    );
    for (const status of statuses) expect([204, 410]).toContain(status);
    expect(statuses).toContain(204);
    expect((await harness.footprint()).storageBytes).toBe(before.storageBytes - 3_000);
  });
});
