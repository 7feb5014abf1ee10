import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Database } from '../../../../src/infra/database/database.js';
import type { SessionJobDto } from '../../../../src/jobs/session/session-job.dto.js';
import { AvailableOperations } from '../../../../src/models/serving/available-operations.js';
import { CallbackHosts } from '../../../../src/webhooks/callbacks/callback-hosts.js';
import { type Harness, startHarness } from '../../../support/app/harness.js';
import { photo } from '../../../support/images/images.js';

let harness: Harness;
let bytes: Buffer;
beforeAll(async () => {
  harness = await startHarness();
  bytes = await photo(40, 30, 'jpeg');
});
afterAll(() => harness.close());

const RESULT = Buffer.from('pixels of the first result');

/** An account with a completed job, whose result has already answered an equal request. */
async function answered() {
  const account = await harness.createAccount();
  await harness.listen(account);
  const { url: sourceUrl } = await harness.newSource(account, bytes);
  const first = await harness.newJob(account, { sourceUrl, operation: 'upscale' });
  await harness.jobs.complete(first.id, RESULT);
  const operations = harness.app.get(AvailableOperations).operations();
  const { model } = operations.find(({ operation }) => operation === 'upscale')!;
  await harness.rows('UPDATE jobs SET model = $2::jsonb WHERE id = $1', [first.id, JSON.stringify(model)]);
  const again = (json: Record<string, unknown> = {}) =>
    harness.createJob(account.key, { sourceUrl, operation: 'upscale', cache: true, ...json });
  const { body } = await again();
  expect(body).toMatchObject({ cached: true });
  const remove = (id: string) => harness.call('DELETE', `/api/ai/enhance/${id}`, { key: account.key });
  const usedBytes = async () => {
    const used = 'SELECT used_bytes AS used FROM storage_usage WHERE account_id = $1';
    return Number((await harness.rows<{ used: string }>(used, [account.id]))[0]!.used);
  };
  return { account, sourceUrl, first, second: body as SessionJobDto, again, remove, usedBytes };
}

describe('POST /api/ai/enhance with a request that was answered from the cache before', () => {
  it('reads neither the upload nor the earlier job', async () => {
    const { again } = await answered();
    const query = vi.spyOn(Database.prototype, 'query');
    try {
      expect((await again()).body).toMatchObject({ cached: true });
      const names = query.mock.calls.map(([statement]) =>
        typeof statement === 'string' ? statement : statement.name,
      );
      expect(names).toContain('result_cache_insert');
      expect(names).not.toContain('source_find_for_job');
      expect(names).not.toContain('result_cache_find');
    } finally {
      query.mockRestore();
    }
  });

  it('enhances again after all results are deleted, and counts no storage for a copy', async () => {
    const { first, second, again, remove, usedBytes } = await answered();
    for (const { id } of [first, second]) await remove(id);
    const { objects } = await harness.footprint();
    expect((await again()).body).toMatchObject({ status: 'queued' });
    expect(await usedBytes()).toBe(bytes.length);
    expect((await harness.footprint()).objects).toBe(objects);
  });

  it('uses another result after the one that it used is deleted', async () => {
    const { first, second, again, remove, usedBytes } = await answered();
    await remove(second.id);
    expect((await again()).body).toMatchObject({ cached: true });
    await remove(first.id);
    expect((await again()).body).toMatchObject({ cached: true });
    expect(await usedBytes()).toBe(bytes.length + 2 * RESULT.length);
  });

  it('refuses a deleted upload', async () => {
    const { account, sourceUrl, again } = await answered();
    const id = new URL(sourceUrl).pathname.split('/').at(-1)!.split('.')[0]!;
    expect((await harness.call('DELETE', `/api/ai/sources/${id}`, { key: account.key })).status).toBe(204);
    const before = await harness.footprint();
    expect(await again()).toMatchObject({ status: 410, body: { code: 'gone' } });
    expect(await again({ strength: 0.5 })).toMatchObject({ status: 410, body: { code: 'gone' } });
    expect(await harness.footprint()).toEqual(before);
  });

  it('enhances again after the model files have changed', async () => {
    const { account, again } = await answered();
    await harness.rows(
      `UPDATE jobs SET model = jsonb_set(model, '{sha256}', '"${'0'.repeat(64)}"') WHERE account_id = $1`,
      [account.id],
    );
    expect((await again()).body).toMatchObject({ status: 'queued' });
  });

  it('does not deadlock with an upload that names the same callback host', async () => {
    const { account, again } = await answered();
    const callbackUrl = 'https://receiver.example/done';
    const hosts = harness.app.get(CallbackHosts);
    let answering: ReturnType<typeof again> | undefined;
    await harness.app.get(Database).transaction(async (tx) => {
      // Locks as a form does, which uploads its file and creates its job in one transaction.
      await tx.query('UPDATE storage_usage SET used_bytes = used_bytes WHERE account_id = $1', [account.id]);
      answering = again({ callbackUrl });
      const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await expect.poll(() => harness.rows(waiting), { timeout: 20_000 }).toHaveLength(1);
      await hosts.prepare(tx, account.id, callbackUrl);
    });
    expect(await answering).toMatchObject({ status: 201, body: { cached: true, callbackUrl } });
  });

  it('calls back a host that no job has named before', async () => {
    const { account, again } = await answered();
    const callbackUrl = 'https://first.example/done';
    const { body } = await again({ callbackUrl });
    expect(body).toMatchObject({ cached: true, callbackUrl });
    const kept = `SELECT e.callback_url FROM events e JOIN webhook_endpoints w
        ON w.account_id = e.account_id AND w.callback AND w.url = 'https://first.example'
      WHERE e.account_id = $1 AND e.callback_url IS NOT NULL`;
    expect(await harness.rows(kept, [account.id])).toEqual([{ callback_url: callbackUrl }]);
  });

  it('is not found for other accounts', async () => {
    const { sourceUrl } = await answered();
    const stranger = await harness.createAccount();
    const order = { sourceUrl, operation: 'upscale', cache: true };
    expect((await harness.createJob(stranger.key, order)).status).toBe(404);
  });

  it('is refused when the storage is full', async () => {
    const { account, again } = await answered();
    await harness.rows('UPDATE storage_usage SET used_bytes = 1e15 WHERE account_id = $1', [account.id]);
    const before = await harness.footprint();
    expect(await again()).toMatchObject({
      status: 403,
      body: { code: 'quota_exceeded', quota: 'storage' },
    });
    expect(await harness.footprint()).toEqual({ ...before, events: before.events + 1 });
  });
});
