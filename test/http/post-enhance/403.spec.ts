import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, PUBLIC_URL, startHarness, type TestAccount } from '../../support/app/harness.js';
import { multipart, MULTIPART_TYPE } from '../../support/app/multipart.js';
import { RawRequest } from '../../support/app/raw-request.js';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

/** The first instant of the next month, UTC. */
function nextMonth(): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString();
}

async function used(account: TestAccount, count: number): Promise<void> {
  await harness.rows('INSERT INTO enhancement_usage (account_id, period, used) VALUES ($1, $2, $3)', [
    account.id,
    new Date().toISOString().slice(0, 7),
    count,
  ]);
}

const events = async (account: TestAccount) =>
  (await harness.eventTypes(account)).filter((type) => type === 'quota.exceeded').length;

describe('POST /api/ai/enhance → 403 quota_exceeded', () => {
  it.each([
    ['free', 50, 'personal'],
    ['personal', 2_000, 'business'],
    ['business', 20_000, 'enterprise'],
    ['enterprise', 20_000, undefined],
  ] as const)('for the %s plan after %i enhancements; next plan: %s', async (plan, limit, upgrade) => {
    const account = await harness.createAccount({ plan });
    await harness.listen(account);
    const { url } = await harness.newSource(account);
    await used(account, limit - 1);
    await harness.newJob(account, { sourceUrl: url });
    const before = await harness.footprint();
    const { status, body } = await harness.createJob(account.key, { sourceUrl: url, operation: 'upscale' });
    expect(status).toBe(403);
    expect(body).toMatchObject({
      code: 'quota_exceeded',
      quota: 'enhancements',
      limit,
      used: limit,
      resetsAt: nextMonth(),
      upgrade: { url: expect.stringContaining(PUBLIC_URL) as unknown },
    });
    const hint = (body as { upgrade: { plan?: string; note?: string } }).upgrade;
    expect(hint.plan).toBe(upgrade);
    expect(hint.note === 'contact sales').toBe(limit === 20_000);
    expect((body as { detail: string }).detail.includes('upgrade to')).toBe(plan !== 'enterprise');
    expect(await harness.footprint()).toEqual({ ...before, events: before.events + 1 });
    expect(await events(account)).toBe(1);
  });

  it('when the storage is full', async () => {
    const account = await harness.createAccount({ limits: { storageBytes: 100_000 } });
    await harness.listen(account);
    const { url, bytes } = await harness.newSource(account);
    const job = await harness.newJob(account, { sourceUrl: url });
    await harness.jobs.complete(job.id, Buffer.alloc(100_000 - bytes));
    const before = await harness.footprint();
    const { status, body } = await harness.createJob(account.key, { sourceUrl: url, operation: 'upscale' });
    expect(status).toBe(403);
    expect(body).toMatchObject({
      code: 'quota_exceeded',
      quota: 'storage',
      limit: 100_000,
      used: 100_000,
      resetsAt: null,
      upgrade: { note: 'contact sales' },
    });
    expect(await harness.footprint()).toEqual({ ...before, events: before.events + 1 });
    await harness.call('DELETE', `/api/ai/enhance/${job.id}`, { key: account.key });
    expect((await harness.createJob(account.key, { sourceUrl: url, operation: 'upscale' })).status).toBe(201);
  });

  it('before the file of a form is read, if fields precede it that do not ask for the cache', async () => {
    const account = await harness.createAccount({ limits: { enhancements: 0 } });
    const before = await harness.footprint();
    const form = await RawRequest.open(harness.url, 'POST /api/ai/enhance', {
      'x-api-key': account.key,
      'content-type': MULTIPART_TYPE,
      'content-length': String(2_000_000),
    });
    const parts = [
      { name: 'operation', bytes: 'upscale' },
      { name: 'file', filename: 'photo.jpg', type: 'image/jpeg', bytes: Buffer.alloc(100_000) },
    ];
    await form.write(multipart(parts, { ended: false }));
    const { status, body } = await form.answer();
    expect(status).toBe(403);
    expect(JSON.parse(body)).toMatchObject({ code: 'quota_exceeded', quota: 'enhancements' });
    expect(await harness.footprint()).toEqual(before);
  });

  it('for all concurrent requests beyond the remaining quota', async () => {
    const left = 7;
    const account = await harness.createAccount({ limits: { enhancements: left } });
    await harness.listen(account);
    const { url } = await harness.newSource(account);
    const second = await harness.another();
    try {
      const answers = await Promise.all(
        Array.from({ length: 10 * left }, (_, index) =>
          (index % 2 === 0 ? harness : second).createJob(
            account.key,
            { sourceUrl: url, operation: 'upscale' },
            index % 3 === 0 ? { 'Idempotency-Key': `key-${index}` } : {},
          ),
        ),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 201)).toHaveLength(left);
      expect(statuses.filter((status) => status === 403)).toHaveLength(9 * left);
    } finally {
      await second.close();
    }
    const [row] = await harness.rows<{ jobs: number; used: number; ledger: number }>(
      `SELECT (SELECT count(*) FROM jobs WHERE account_id = $1)::int AS jobs,
              (SELECT sum(used) FROM enhancement_usage WHERE account_id = $1)::int AS used,
              (SELECT count(*) FROM quota_ledger WHERE account_id = $1)::int AS ledger`,
      [account.id],
    );
    expect(row).toEqual({ jobs: left, used: left, ledger: left });
    expect(await events(account)).toBe(1);
  });

  it('refunds failed and canceled jobs, but never twice', async () => {
    const account = await harness.createAccount({ limits: { enhancements: 2 } });
    await harness.listen(account);
    const { url } = await harness.newSource(account);
    const jobs = [
      await harness.newJob(account, { sourceUrl: url }),
      await harness.newJob(account, { sourceUrl: url }),
    ];
    expect((await harness.createJob(account.key, { sourceUrl: url, operation: 'upscale' })).status).toBe(403);
    await harness.jobs.fail(jobs[0]!.id);
    await Promise.all(
      Array.from({ length: 5 }, () =>
        harness.call('POST', `/api/ai/enhance/${jobs[1]!.id}/cancel`, { key: account.key }),
      ),
    );
    const { body } = await harness.call('GET', '/api/usage', { key: account.key });
    expect(body).toMatchObject({ enhancements: { used: 0, remaining: 2 } });
    await harness.newJob(account, { sourceUrl: url });
    await harness.newJob(account, { sourceUrl: url });
    expect((await harness.createJob(account.key, { sourceUrl: url, operation: 'upscale' })).status).toBe(403);
  });

  it('does not count a past month', async () => {
    const account = await harness.createAccount({ limits: { enhancements: 1 } });
    await harness.listen(account);
    await harness.rows("INSERT INTO enhancement_usage (account_id, period, used) VALUES ($1, '2020-01', 1)", [
      account.id,
    ]);
    await harness.newJob(account);
    const { body } = await harness.call('GET', '/api/usage', { key: account.key });
    expect(body).toMatchObject({ enhancements: { used: 1, remaining: 0 } });
  });

  it('notifies webhooks of the first refusal, then at most once an hour, per quota', async () => {
    const account = await harness.createAccount({ limits: { enhancements: 0, storageBytes: 100_000 } });
    await harness.listen(account);
    const { url } = await harness.newSource(account);
    const refuse = async () => {
      const { status } = await harness.createJob(account.key, { sourceUrl: url, operation: 'upscale' });
      expect(status).toBe(403);
    };
    const age = (interval: string) =>
      harness.rows('UPDATE quota_notices SET last_at = last_at - $1::interval WHERE account_id = $2', [
        interval,
        account.id,
      ]);
    await Promise.all(Array.from({ length: 5 }, refuse));
    expect(await events(account)).toBe(1);
    await age('59 minutes');
    await refuse();
    expect(await events(account)).toBe(1);
    await age('1 minute');
    await refuse();
    await refuse();
    expect(await events(account)).toBe(2);
    expect((await harness.upload(account.key, Buffer.alloc(200_000))).status).toBe(403);
    expect(await events(account)).toBe(3);
    const rows = await harness.rows<{ data: { quota: object } }>(
      "SELECT data FROM events WHERE account_id = $1 AND type = 'quota.exceeded' ORDER BY id",
      [account.id],
    );
    expect(rows[0]!.data).toMatchObject({
      quota: { quota: 'enhancements', limit: 0, used: 0, resetsAt: nextMonth() },
    });
    expect(rows[2]!.data).toMatchObject({ quota: { quota: 'storage', limit: 100_000, resetsAt: null } });
  });
});
