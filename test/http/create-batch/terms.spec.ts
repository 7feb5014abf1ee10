import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';

let harness: Harness;
let account: TestAccount;
let url: string;
beforeAll(async () => {
  harness = await startHarness();
  account = await harness.createAccount();
  ({ url } = await harness.newSource(account));
});
afterAll(() => harness.close());

const CALLBACK = 'https://receiver.example/done?batch=1';

const create = (json: object) =>
  harness.createBatch(account.key, { sourceUrls: [url, url], operation: 'upscale', ...json });

describe('POST /api/ai/batches with terms', () => {
  it('gives every job the same terms', async () => {
    const { status, body } = await create({ cancelAfter: '60s', expiresIn: 3_600, retention: 'deliver' });
    expect(status).toBe(201);
    const rows = await harness.rows(
      `SELECT round(extract(epoch FROM cancel_at - created_at))::int AS "cancelSeconds", expires_in AS "expiresIn",
              retention, callback_url AS "callbackUrl" FROM jobs WHERE batch_id = $1`,
      [body['id']],
    );
    const terms = { cancelSeconds: 60, expiresIn: 3_600, retention: 'deliver', callbackUrl: null };
    expect(rows).toEqual([terms, terms]);
  });

  it('calls back once when the last item has ended, and again after a retry', async () => {
    const { body } = await create({ callbackUrl: CALLBACK });
    expect(body).toMatchObject({ callbackUrl: CALLBACK });
    const id = body['id'] as string;
    const called = () =>
      harness.rows<{ type: string; url: string }>(
        `SELECT type, callback_url AS url FROM events WHERE account_id = $1 AND data->'batch'->>'id' = $2`,
        [account.id, id],
      );
    const [first, second] = await harness.batchJobs(id);
    await harness.jobs.complete(first!);
    expect(await called()).toEqual([]);
    await harness.jobs.fail(second!);
    expect(await called()).toEqual([{ type: 'batch.completed', url: CALLBACK }]);
    const retried = await harness.call('POST', `/api/ai/batches/${id}/retry`, { key: account.key });
    expect(retried.status, retried.text).toBe(200);
    await harness.jobs.complete((await harness.batchJobs(id))[1]!);
    expect(await called()).toHaveLength(2);
    // Jobs get no callbacks of their own.
    const ofJobs = await harness.rows(
      `SELECT 1 FROM events WHERE account_id = $1 AND type LIKE 'enhancement.%' AND callback_url IS NOT NULL`,
      [account.id],
    );
    expect(ofJobs).toEqual([]);
  });

  it.each([
    [{ callbackUrl: 'https://10.0.0.1/' }, 'callbackUrl', 'format'],
    [{ callbackUrl: 'nowhere' }, 'callbackUrl', 'format'],
    [{ callbackUrl: null }, 'callbackUrl', 'type'],
    [{ cancelAfter: '1s' }, 'cancelAfter', 'format'],
    [{ expiresIn: 1e9 }, 'expiresIn', 'max'],
    [{ expiresIn: 0 }, 'expiresIn', 'range'],
    [{ retention: 'never' }, 'retention', 'enum'],
    [{ dryRun: 'yes' }, 'dryRun', 'type'],
  ])('rejects %j with 400: %s %s', async (json, field, code) => {
    const before = await harness.footprint();
    const { status, body } = await create(json);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'invalid_request', errors: [{ field, code }] });
    expect(await harness.footprint()).toEqual(before);
  });
});
