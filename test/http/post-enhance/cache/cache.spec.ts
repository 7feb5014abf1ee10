import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { AvailableOperations } from '../../../../src/models/serving/available-operations.js';
import type { SessionJobDto } from '../../../../src/jobs/session/session-job.dto.js';
import { JobKeysRepository } from '../../../../src/jobs/session/job-keys.repository.js';
import { type Harness, startHarness, type TestAccount } from '../../../support/app/harness.js';
import { photo } from '../../../support/images/images.js';
import { multipart, MULTIPART_TYPE } from '../../../support/app/multipart.js';

let harness: Harness;
let bytes: Buffer;
beforeAll(async () => {
  harness = await startHarness();
  bytes = await photo(40, 30, 'jpeg');
});
afterAll(() => harness.close());

const RESULT = Buffer.from('pixels of the first result');

/** An account with a job that was completed by the model files that the service offers. */
async function withResult(more: Record<string, unknown> = {}) {
  const account = await harness.createAccount();
  await harness.listen(account);
  const { url: sourceUrl } = await harness.newSource(account, bytes);
  const first = await harness.newJob(account, { sourceUrl, operation: 'upscale', ...more });
  await completed(first.id);
  const again = (json: Record<string, unknown> = {}) =>
    harness.createJob(account.key, { sourceUrl, operation: 'upscale', cache: true, ...more, ...json });
  return { account, sourceUrl, first, again };
}

async function completed(id: string): Promise<void> {
  await harness.jobs.complete(id, RESULT);
  const operations = harness.app.get(AvailableOperations).operations();
  const { model } = operations.find(({ operation }) => operation === 'upscale')!;
  await harness.rows('UPDATE jobs SET model = $2::jsonb WHERE id = $1', [id, JSON.stringify(model)]);
}

const timesOf = ({ createdAt, startedAt, completedAt, result }: SessionJobDto) => ({
  createdAt,
  startedAt,
  completedAt,
  result,
});

const resultOf = (account: TestAccount, body: unknown) =>
  harness.call('GET', new URL((body as SessionJobDto).resultUrl!).pathname.replace('/base', ''), {
    key: account.key,
  });

describe('POST /api/ai/enhance for a cached result', () => {
  it('completes at once with a free copy of the result, and says that it is cached', async () => {
    const { account, first, again } = await withResult();
    const before = await harness.footprint();
    const { status, body } = await again({ metadata: { order: '2' } });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: 'completed',
      cached: true,
      progress: 1,
      attempts: 0,
      metadata: { order: '2' },
      timings: { queuedMs: 0, decodeMs: 0, inferenceMs: 0, encodeMs: 0 },
      device: 'cpu',
      precision: 'float32',
      result: { bytes: RESULT.length },
    });
    const { id, model, createdAt, startedAt } = body as SessionJobDto;
    const read = (await harness.call('GET', `/api/ai/enhance/${first.id}`, { key: account.key })).body;
    expect(model).toEqual((read as SessionJobDto).model);
    expect(read).not.toHaveProperty('cached');
    expect(startedAt).toBe(createdAt);
    const { objects, jobs, storageBytes, events, ...rest } = before;
    expect(await harness.footprint()).toEqual({
      ...rest,
      jobs: jobs + 1,
      objects: objects + 1,
      storageBytes: storageBytes + RESULT.length,
      events: events + 3,
    });
    expect((await harness.eventTypes(account)).slice(-3).toSorted()).toEqual([
      'enhancement.completed',
      'image.completed',
      'job.completed',
    ]);
    expect((await resultOf(account, body)).body).toEqual(RESULT);
    const keys = await harness.app.get(JobKeysRepository).keysOf(account.id, [id]);
    expect(keys.get(id)?.id).toBe(account.keyId);
    const [day] = await harness.rows<{ bytes: string }>(
      'SELECT bytes FROM storage_days WHERE account_id = $1',
      [account.id],
    );
    expect(Number(day!.bytes)).toBe(bytes.length + 2 * RESULT.length);
  });

  it('recognizes the same bytes in another upload', async () => {
    const { account, again } = await withResult();
    const { url } = await harness.newSource(account, bytes);
    expect((await again({ sourceUrl: url })).body).toMatchObject({ status: 'completed', cached: true });
    const other = await harness.newSource(account, await photo(41, 30, 'jpeg'));
    expect((await again({ sourceUrl: other.url })).body).toMatchObject({ status: 'queued' });
  });

  it.each([{ level: 'high' }, { output: { quality: 50 } }, { operation: 'smooth_skin' }, { cache: false }])(
    'enhances again with %j',
    async (json) => {
      const { again } = await withResult();
      const { body } = await again(json);
      expect(body).toMatchObject({ status: 'queued' });
      expect(body).not.toHaveProperty('cached');
    },
  );

  it('enhances again for another account', async () => {
    await withResult();
    const stranger = await harness.createAccount();
    const { url } = await harness.newSource(stranger, bytes);
    const order = { sourceUrl: url, operation: 'upscale', cache: true };
    const { body } = await harness.createJob(stranger.key, order);
    expect(body).toMatchObject({ status: 'queued' });
  });

  it('enhances again unless the request or the account enables the cache', async () => {
    const { account, sourceUrl, again } = await withResult();
    const unasked = () => harness.createJob(account.key, { sourceUrl, operation: 'upscale' });
    expect((await unasked()).body).toMatchObject({ status: 'queued' });
    await harness.accountsOf.setResultCache(account.id, true);
    expect((await unasked()).body).toMatchObject({ cached: true });
    expect((await again({ cache: false })).body).toMatchObject({ status: 'queued' });
  });

  it('enhances again with other model files, and when the result is gone or about to expire', async () => {
    const { account, first, again } = await withResult();
    await harness.rows(
      `UPDATE jobs SET model = jsonb_set(model, '{sha256}', '"${'0'.repeat(64)}"') WHERE id = $1`,
      [first.id],
    );
    expect((await again()).body).toMatchObject({ status: 'queued' });
    const next = await withResult();
    await harness.rows("UPDATE jobs SET result_expires_at = now() + interval '5 seconds' WHERE id = $1", [
      next.first.id,
    ]);
    expect((await next.again()).body).toMatchObject({ status: 'queued' });
    const third = await withResult();
    await harness.call('DELETE', `/api/ai/enhance/${third.first.id}`, { key: third.account.key });
    expect((await third.again()).body).toMatchObject({ status: 'queued' });
    expect(account.id).not.toBe(third.account.id);
  });

  it('keeps each result when the other job is deleted', async () => {
    const { account, first, again } = await withResult();
    const { body: second } = await again();
    await harness.call('DELETE', `/api/ai/enhance/${first.id}`, { key: account.key });
    expect((await resultOf(account, second)).body).toEqual(RESULT);
    const { body: third } = await again();
    expect(third).toMatchObject({ cached: true });
    await harness.call('DELETE', `/api/ai/enhance/${(second as SessionJobDto).id}`, { key: account.key });
    expect((await resultOf(account, third)).body).toEqual(RESULT);
  });

  it('is free when the enhancements are used up, and refused when the storage is full', async () => {
    const { account, again } = await withResult();
    await harness.rows('UPDATE enhancement_usage SET used = 20000 WHERE account_id = $1', [account.id]);
    expect((await again({ dryRun: true })).body).toMatchObject({
      cost: 0,
      cached: true,
      estimatedSeconds: 0,
    });
    expect((await again()).body).toMatchObject({ cached: true });
    await harness.rows('UPDATE storage_usage SET used_bytes = 1e15 WHERE account_id = $1', [account.id]);
    const before = await harness.footprint();
    const { status, body } = await again();
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: 'quota_exceeded', quota: 'storage' });
    expect(await harness.footprint()).toEqual({ ...before, events: before.events + 1 });
  });

  it('is free for a form when the enhancements are used up, if the form or the account asks for it', async () => {
    const { account } = await withResult();
    await harness.rows('UPDATE enhancement_usage SET used = 20000 WHERE account_id = $1', [account.id]);
    const file = { name: 'file', filename: 'photo.jpg', type: 'image/jpeg', bytes };
    const send = (given: Readonly<Record<string, string>>, isFileFirst = true) => {
      const fields = Object.entries({ operation: 'upscale', ...given });
      const parts = fields.map(([name, value]) => ({ name, bytes: value }));
      return harness.call('POST', '/api/ai/enhance', {
        key: account.key,
        headers: { 'content-type': MULTIPART_TYPE },
        body: multipart(isFileFirst ? [file, ...parts] : [...parts, file]),
      });
    };
    for (const isFileFirst of [true, false]) {
      const asked = await send({ cache: 'true' }, isFileFirst);
      expect([asked.status, asked.body]).toMatchObject([201, { cached: true }]);
    }
    const before = await harness.footprint();
    const unasked = await send({});
    expect([unasked.status, unasked.body]).toMatchObject([403, { quota: 'enhancements' }]);
    expect((await send({ cache: 'true', level: 'high' })).status).toBe(403);
    expect(await harness.footprint()).toEqual({ ...before, events: before.events + 1 });
    await harness.accountsOf.setResultCache(account.id, true);
    expect((await send({})).body).toMatchObject({ cached: true });
    expect((await send({ cache: 'false' })).status).toBe(403);
  });

  it('answers ten concurrent requests, each with its own job and exact storage', async () => {
    const { account, again } = await withResult();
    const answers = await Promise.all(Array.from({ length: 10 }, () => again()));
    expect(new Set(answers.map(({ body }) => (body as SessionJobDto).id)).size).toBe(10);
    for (const { body } of answers) expect(body).toMatchObject({ status: 'completed', cached: true });
    const [row] = await harness.rows<{ used: string }>(
      'SELECT used_bytes AS used FROM storage_usage WHERE account_id = $1',
      [account.id],
    );
    expect(Number(row!.used)).toBe(bytes.length + 11 * RESULT.length);
  });

  it('is replayed for the same Idempotency-Key, and does not wait', async () => {
    const { account, sourceUrl } = await withResult();
    const headers = { 'idempotency-key': 'once', prefer: 'wait=60' };
    const order = { sourceUrl, operation: 'upscale', cache: true };
    const one = await harness.createJob(account.key, order, headers);
    const two = await harness.createJob(account.key, order, headers);
    expect(one.body).toMatchObject({ cached: true, status: 'completed' });
    expect((two.body as SessionJobDto).id).toBe((one.body as SessionJobDto).id);
  });

  it('copies every column of the result, including the checksum that archives need', async () => {
    const { first, again } = await withResult();
    await harness.rows('UPDATE jobs SET result_crc32 = 4023233417 WHERE id = $1', [first.id]);
    const { body } = await again();
    const columns = `SELECT result_crc32, result_sha256, result_bytes, result_format, result_applied FROM jobs WHERE id = $1`;
    const [original] = await harness.rows(columns, [first.id]);
    expect(original).toMatchObject({ result_crc32: '4023233417' });
    expect(await harness.rows(columns, [(body as SessionJobDto).id])).toEqual([original]);
  });

  it('keeps the copy for the requested time when the clock of the api is behind', async () => {
    const { account, sourceUrl, again } = await withResult();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 180_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect((await again({ expiresIn: 60 })).body).toMatchObject({ cached: true });
    const items = { sourceUrls: [sourceUrl], operation: 'upscale', cache: true, expiresIn: 60 };
    expect((await harness.createBatch(account.key, items)).body).toMatchObject({ counts: { completed: 1 } });
    const lasting = `SELECT result_expires_at BETWEEN now() AND now() + interval '60 seconds' AS "isKept"
      FROM jobs WHERE account_id = $1 AND cached`;
    expect(await harness.rows(lasting, [account.id])).toEqual([{ isKept: true }, { isKept: true }]);
  });

  it('has the times of the database when the clock of the api is behind', async () => {
    const { account, sourceUrl, again } = await withResult();
    const startedMs = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: startedMs - 600_000 });
    onTestFinished(() => void vi.useRealTimers());
    const { body } = await again({ expiresIn: 60 });
    const items = { sourceUrls: [sourceUrl], operation: 'upscale', cache: true };
    const { body: batch } = await harness.createBatch(account.key, items);
    vi.useRealTimers();
    const first = body as SessionJobDto;
    const [item] = await harness.batchJobs(batch['id'] as string);
    const read = async (job: string) =>
      (await harness.call('GET', `/api/ai/enhance/${job}`, { key: account.key })).body as SessionJobDto;
    expect(timesOf(await read(first.id))).toEqual(timesOf(first));
    for (const job of [first.id, item!]) {
      const seen = await read(job);
      expect(Date.parse(seen.createdAt)).toBeGreaterThan(startedMs - 60_000);
      expect(Date.parse(seen.completedAt!)).toBeGreaterThan(startedMs - 60_000);
      expect(seen.createdAt <= seen.completedAt!).toBe(true);
      const events = await harness.rows<{ data: { job: SessionJobDto }; isNow: boolean }>(
        `SELECT data, created_at > now() - interval '1 minute' AS "isNow" FROM events
          WHERE type = 'enhancement.completed' AND data -> 'job' ->> 'id' = $1`,
        [job],
      );
      expect(events).toMatchObject([{ isNow: true, data: { job: timesOf(seen) } }]);
    }
  });

  it('leaves no copy behind when the callback is refused', async () => {
    const { account, sourceUrl, again } = await withResult();
    expect((await again({ callbackUrl: 'https://host.example/done' })).body).toMatchObject({ cached: true });
    const columns = 'account_id, events, metadata, enabled, sealed_secret, previous_secrets, callback';
    // As many hosts as an account may use.
    await harness.rows(
      `INSERT INTO webhook_endpoints (id, url, created_at, updated_at, ${columns})
       SELECT id || n, url || n, now(), now(), ${columns} FROM webhook_endpoints, generate_series(2, 100) n
        WHERE account_id = $1 AND url = 'https://host.example'`,
      [account.id],
    );
    const before = await harness.footprint();
    const callbackUrl = 'https://host101.example/done';
    const refused = { status: 400, body: { errors: [{ field: 'callbackUrl', code: 'limit' }] } };
    expect(await again({ callbackUrl })).toMatchObject(refused);
    const batch = { sourceUrls: [sourceUrl], operation: 'upscale', cache: true, callbackUrl };
    expect(await harness.createBatch(account.key, batch)).toMatchObject(refused);
    expect(await harness.footprint()).toEqual(before);
    expect((await again()).body).toMatchObject({ cached: true });
  });
});
