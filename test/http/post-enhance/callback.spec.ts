import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobDto } from '../../../src/common/resources/job.dto.js';
import type { Config } from '../../../src/config/env.js';
import { CONFIG } from '../../../src/config/tokens.js';
import { Database } from '../../../src/infra/database/database.js';
import { ClaimsRepository } from '../../../src/webhooks/dispatch/claims.repository.js';
import { FanOutRepository } from '../../../src/webhooks/dispatch/fan-out.repository.js';
import { EndpointSecrets } from '../../../src/webhooks/endpoints/endpoint-secrets.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';

let harness: Harness;
let account: TestAccount;
let sourceUrl: string;
beforeAll(async () => {
  harness = await startHarness();
  account = await harness.createAccount();
  sourceUrl = (await harness.newSource(account)).url;
});
afterAll(() => harness.close());

const create = (json: Record<string, unknown>, headers = {}) =>
  harness.createJob(account.key, { sourceUrl, operation: 'upscale', ...json }, headers);
const call = (method: string, path: string, json?: Record<string, unknown>, headers = {}) =>
  harness.call(method, path, { key: account.key, headers, ...(json !== undefined && { json }) });

interface Delivery {
  readonly id: string;
  readonly url: string;
  readonly eventType: string;
  readonly endpointId: string;
}
const deliveries = async (query = '') =>
  ((await call('GET', `/api/webhooks/deliveries${query}`)).body as { data: Delivery[] }).data;

async function fanOut(): Promise<readonly string[]> {
  const fanning = new FanOutRepository(harness.app.get(Database), harness.app.get<Config>(CONFIG));
  return (await fanning.fanOut(100)).endpoints.map(({ endpointId }) => endpointId);
}

describe('POST /api/ai/enhance with callbackUrl', () => {
  it('delivers only to that URL when the job ends', async () => {
    const urls = ['https://one.example/done?job=1', 'https://one.example/done?job=2', 'https://two.example/'];
    const jobs: JobDto[] = [];
    for (const callbackUrl of urls) {
      const { status, body } = await create({ callbackUrl });
      expect(status).toBe(201);
      expect(body).toMatchObject({ callbackUrl });
      jobs.push(body as JobDto);
    }
    await harness.jobs.complete(jobs[0]!.id);
    await harness.jobs.fail(jobs[1]!.id);
    await call('POST', `/api/ai/enhance/${jobs[2]!.id}/cancel`);
    // Aliases and `enhancement.queued` are sent only to endpoints.
    expect(await harness.eventTypes(account)).toEqual([
      'enhancement.completed',
      'enhancement.failed',
      'enhancement.failed',
    ]);
    const hosts = await fanOut();
    expect(hosts).toHaveLength(2);
    const sent = await deliveries();
    expect(sent.map(({ url, eventType }) => `${eventType} ${url}`).toSorted()).toEqual([
      `enhancement.completed ${urls[0]}`,
      `enhancement.failed ${urls[1]}`,
      `enhancement.failed ${urls[2]}`,
    ]);
    expect(new Set(sent.map(({ endpointId }) => endpointId))).toEqual(new Set(hosts));
    expect(await deliveries(`?endpointId=${sent[0]!.endpointId}`)).not.toHaveLength(0);
    expect((await call('GET', '/api/webhooks/endpoints')).body).toMatchObject({ data: [] });
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/rotate-secret'],
      ['POST', '/ping'],
    ] as const) {
      const answer = await call(method, `/api/webhooks/endpoints/${hosts[0]!}${path}`);
      expect(answer.status).toBe(404);
    }
    const claims = new ClaimsRepository(harness.app.get(Database));
    const rows = await claims.claim(new Map(hosts.map((id) => [id, 10])), 60_000);
    expect(rows.map(({ destination }) => destination.url).toSorted()).toEqual(urls.toSorted());
    for (const { destination } of rows)
      expect(destination).toMatchObject({
        isCallback: true,
        endpointUrl: new URL(destination.url).origin,
      });
    await harness.rows('UPDATE webhook_deliveries SET claimed = false, due_at = now() WHERE claimed');
    expect((await call('POST', `/api/webhooks/deliveries/${sent[0]!.id}/redeliver`)).status).toBe(202);
  });

  it('signs with one secret per account, which can be rotated', async () => {
    const secrets = harness.app.get(EndpointSecrets);
    const inForce = async () => {
      const rows = await harness.rows<{
        id: string;
        sealed: Buffer;
        previous: { sealed: string; expiresAt: string }[];
      }>(
        'SELECT id, sealed_secret AS sealed, previous_secrets AS previous FROM webhook_endpoints WHERE account_id = $1',
        [account.id],
      );
      return rows.map(({ id, sealed, previous }) =>
        secrets.inForce({ id, sealedSecret: sealed, previousSecrets: previous }, Date.now()),
      );
    };
    expect((await call('GET', '/api/webhooks/callback-secret')).body).toEqual({
      createdAt: expect.any(String) as unknown,
      previousSecretExpiresAt: null,
    });
    const [first] = await inForce();
    const headers = { 'idempotency-key': 'rotate-once' };
    const { status, body } = await call('POST', '/api/webhooks/callback-secret', {}, headers);
    expect(status).toBe(200);
    const { secret } = body as { secret: string };
    expect(secret).toMatch(/^whsec_/);
    const all = await inForce();
    expect(all).toHaveLength(3);
    for (const each of all) expect(each).toEqual([secret, first![0]]);
    const again = await call('POST', '/api/webhooks/callback-secret', {}, headers);
    expect(again.body).toEqual(body);
    await create({ callbackUrl: 'https://three.example/' });
    for (const each of await inForce()) expect(each[0]).toBe(secret);
  });

  it('enables a disabled host again', async () => {
    await harness.rows(
      "UPDATE webhook_endpoints SET enabled = false, disabled_reason = 'failing' WHERE account_id = $1 AND url = 'https://two.example'",
      [account.id],
    );
    await create({ callbackUrl: 'https://two.example/again' });
    const [host] = await harness.rows<{ enabled: boolean }>(
      "SELECT enabled FROM webhook_endpoints WHERE account_id = $1 AND url = 'https://two.example'",
      [account.id],
    );
    expect(host!.enabled).toBe(true);
  });

  it.each([
    'no address',
    'ftp://one.example/',
    'http://one.example/',
    'https://127.0.0.1/',
    'https://10.0.0.1/',
    'https://[::1]/',
    'https://user:password@one.example/',
  ])('rejects %s with 400, and leaves nothing behind', async (callbackUrl) => {
    const before = await harness.footprint();
    const { status, body } = await create({ callbackUrl });
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ field: 'callbackUrl' }] });
    expect(await harness.footprint()).toEqual(before);
  });

  it('leaves no host behind after a refused job or a dry run', async () => {
    const own = await harness.createAccount();
    const { url } = await harness.newSource(own);
    const order = { sourceUrl: url, operation: 'upscale', callbackUrl: 'https://new.example/' };
    const before = await harness.footprint();
    expect((await harness.createJob(own.key, { ...order, dryRun: true })).status).toBe(200);
    expect(await harness.footprint()).toEqual(before);
    await harness.rows(
      `INSERT INTO enhancement_usage (account_id, period, used) VALUES ($1, to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM'), 20000)`,
      [own.id],
    );
    expect((await harness.createJob(own.key, order)).status).toBe(403);
    expect((await harness.footprint()).endpoints).toBe(before.endpoints);
  });

  it('accepts ten concurrent jobs with a new host, which is stored once', async () => {
    const callbackUrl = 'https://many.example/at-once';
    const answers = await Promise.all(Array.from({ length: 10 }, () => create({ callbackUrl })));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 201));
    const hosts = await harness.rows(
      "SELECT id FROM webhook_endpoints WHERE account_id = $1 AND url = 'https://many.example'",
      [account.id],
    );
    expect(hosts).toHaveLength(1);
  });
});
