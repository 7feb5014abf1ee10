import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
