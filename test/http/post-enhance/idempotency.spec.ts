import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';

let harness: Harness;
let account: TestAccount;
let sourceUrl: string;
beforeAll(async () => {
  harness = await startHarness({ env: { DATABASE_POOL_SIZE: '3' } });
  account = await harness.createAccount();
  sourceUrl = (await harness.newSource(account)).url;
});
afterAll(() => harness.close());

const create = (key: string, json: Record<string, unknown> = {}) =>
  harness.createJob(account.key, { sourceUrl, operation: 'upscale', ...json }, { 'Idempotency-Key': key });

describe('POST /api/ai/enhance with an Idempotency-Key', () => {
  it('returns the first response again, byte for byte, even after the job has moved on', async () => {
    const first = await create('again');
    const { id } = first.body as { id: string };
    await harness.jobs.complete(id);
    const before = await harness.footprint();
    const second = await create('again');
    expect(second.status).toBe(201);
    expect(second.text).toBe(first.text);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.headers['location']).toBe(first.headers['location']);
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    expect(await harness.footprint()).toEqual(before);
  });

  it('does not ask to retry a failed job, because the same key returns the same job', async () => {
    const { body: job } = await create('failed');
    await harness.jobs.fail((job as { id: string }).id, 'processing_failed');
    const { status, body, headers } = await harness.createJob(
      account.key,
      { sourceUrl, operation: 'upscale' },
      { 'Idempotency-Key': 'failed', accept: 'image/*', prefer: 'wait=30' },
    );
    expect([status, body]).toMatchObject([
      500,
      { code: 'processing_failed', jobId: (job as { id: string }).id },
    ]);
    expect(headers['idempotent-replayed']).toBe('true');
    expect(headers).not.toHaveProperty('retry-after');
  });

  it('ignores the order of the fields', async () => {
    await create('order', { level: 'low', output: { format: 'png', quality: 5 } });
    const body = `{"output":{"quality":5,"format":"png"},"level":"low","operation":"upscale","sourceUrl":${JSON.stringify(sourceUrl)}}`;
    const { headers } = await harness.call('POST', '/api/ai/enhance', {
      key: account.key,
      headers: { 'Idempotency-Key': 'order', 'content-type': 'application/json' },
      body,
    });
    expect(headers['idempotent-replayed']).toBe('true');
  });

  it('returns the first response again even if the source was deleted since', async () => {
    const source = await harness.newSource(account);
    const first = await create('gone', { sourceUrl: source.url });
    await harness.call('DELETE', `/api/ai/sources/${source.id}`, { key: account.key });
    const second = await create('gone', { sourceUrl: source.url });
    expect([second.status, second.text]).toEqual([201, first.text]);
  });

  it('creates one job for ten concurrent requests', async () => {
    const before = await harness.footprint();
    const answers = await Promise.all(Array.from({ length: 10 }, () => create('at-once')));
    const after = await harness.footprint();
    expect(after.jobs).toBe(before.jobs + 1);
    expect(after.enhancementsUsed).toBe(before.enhancementsUsed + 1);
    for (const { status } of answers) expect([201, 409]).toContain(status);
    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    expect(made.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
  });

  it('serves many keys concurrently with few database connections', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => create(`many-${index}`)));
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(40).fill(201));
  });

  it('keeps the keys of two accounts separate', async () => {
    const other = await harness.createAccount();
    const { url } = await harness.newSource(other);
    const mine = await create('shared');
    const theirs = await harness.createJob(
      other.key,
      { sourceUrl: url, operation: 'upscale' },
      { 'Idempotency-Key': 'shared' },
    );
    expect(theirs.status).toBe(201);
    expect(theirs.headers).not.toHaveProperty('idempotent-replayed');
    expect((theirs.body as { id: string }).id).not.toBe((mine.body as { id: string }).id);
  });

  it('shares an Idempotency-Key among the API keys of an account', async () => {
    const first = await create('one-account');
    const { key } = await harness.createKey(account);
    const second = await harness.createJob(
      key,
      { sourceUrl, operation: 'upscale' },
      { 'Idempotency-Key': 'one-account' },
    );
    expect(second.text).toBe(first.text);
  });

  it('does not remember refusals: the same key works once the request can succeed', async () => {
    const poor = await harness.createAccount({ limits: { enhancements: 1 } });
    const { url } = await harness.newSource(poor);
    const first = await harness.newJob(poor, { sourceUrl: url });
    const again = () =>
      harness.createJob(poor.key, { sourceUrl: url, operation: 'upscale' }, { 'Idempotency-Key': 'later' });
    expect((await again()).status).toBe(403);
    await harness.call('POST', `/api/ai/enhance/${first.id}/cancel`, { key: poor.key });
    const { status, headers } = await again();
    expect(status).toBe(201);
    expect(headers).not.toHaveProperty('idempotent-replayed');
  });

  it('forgets a key after 24 hours', async () => {
    const first = await create('old');
    const age = async (interval: string) =>
      harness.rows(
        `UPDATE idempotency_keys SET created_at = now() - $1::interval WHERE account_id = $2 AND key = 'old'`,
        [interval, account.id],
      );
    await age('23 hours 59 minutes');
    expect((await create('old')).text).toBe(first.text);
    await age('24 hours 1 second');
    const anew = await create('old', { level: 'high' });
    expect(anew.status).toBe(201);
    expect((anew.body as { id: string }).id).not.toBe((first.body as { id: string }).id);
  });
});
