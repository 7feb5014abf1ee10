import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_EXPORTS_PER_HOUR } from '../../../src/accounts/export/account-exports.js';
import {
  ACCOUNT_ROWS,
  ENDPOINT_ROWS,
  EXPORT_PAGE,
  USER_ROWS,
} from '../../../src/accounts/export/exported-rows.js';
import { testAccountOf } from '../../../src/kernel/accounts/livemode.js';
import type { Answer } from '../../support/app/api-client.js';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { newMember } from '../../support/app/members.js';

/** Tables of an account that are not exported as lists, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  account_notices: 'waits seconds for its email',
  audit_events: 'exported as the audit log',
  direct_uploads: 'an upload in progress',
  email_changes: 'exported with the account',
  email_verifications: 'the hash of a link',
  enhancement_days: 'sums of the usage',
  enhancement_usage: 'sums of the usage',
  events: 'kept for days, for deliveries',
  idempotency_keys: 'kept for a day, hashes',
  impersonation_links: 'the hash of a link',
  mails: 'sealed, and deleted when sent',
  oidc_links: 'a sign-in in progress',
  operation_days: 'exported as the usage',
  password_resets: 'the hash of a link',
  pending_sign_ins: 'a sign-in in progress',
  quota_ledger: 'what the usage is counted from',
  quota_ledger_sums: 'what the usage is counted from',
  quota_notices: 'which notices were sent',
  recovery_codes: 'secret',
  storage_days: 'sums of the photos and results',
  storage_usage: 'sums of the photos and results',
  two_factor_secrets: 'secret; when it was set up is exported with the account',
  version_comparisons: 'of operators',
  webhook_deliveries: 'kept for days',
};

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({
    env: {
      WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
      WEBHOOK_ALLOW_HTTP: 'true',
      SIGN_UPS_PER_MINUTE: '1000',
      SIGN_IN_ATTEMPTS_PER_MINUTE: '1000',
      DASHBOARD_REQUESTS_PER_MINUTE: '1000',
    },
  });
});
afterAll(() => harness.close());

async function newOwner(): Promise<{ account: TestAccount; browser: DashboardClient; email: string }> {
  const account = await harness.createAccount();
  const browser = new DashboardClient(harness);
  return { account, browser, email: (await browser.signInto(account)).email };
}

const ask = (browser: DashboardClient, password = PASSWORD): Promise<Answer> =>
  browser.call('POST', '/account/export', { json: { password } });

async function pathOf(browser: DashboardClient): Promise<string> {
  const { status, body, text } = await ask(browser);
  expect(status, text).toBe(200);
  const { path } = body as { path: string };
  expect(path).toMatch(/^\/dashboard\/api\/account\/export\?expires=\d+&signature=[\w-]{43}$/);
  return path.replace('/dashboard/api', '');
}

const download = async (browser: DashboardClient): Promise<Answer> =>
  browser.call('GET', await pathOf(browser));

type Exported = Readonly<Record<string, readonly Record<string, unknown>[]>>;

async function dataOf(browser: DashboardClient): Promise<Exported> {
  const { status, text } = await download(browser);
  expect(status, text).toBe(200);
  return JSON.parse(text) as Exported;
}

describe('GET /dashboard/api/account/export', () => {
  it('is a JSON file with what the account has', async () => {
    const { account, browser, email } = await newOwner();
    const source = await harness.newSource(account);
    const job = await harness.newJob(account, { sourceUrl: source.url, metadata: { order: '17' } });
    await harness.jobs.complete(job.id);
    const batch = await harness.newBatch(account, { sourceUrls: [source.url] });
    await harness.newEndpoint(account);
    await harness.call('PUT', '/api/ai/presets/mine', {
      key: account.key,
      json: { operations: [{ operation: 'upscale' }] },
    });
    await browser.call('POST', '/keys', { json: { name: 'Laptop' } });
    await browser.call('POST', '/ai/share-links', { json: { jobId: job.id, expiresIn: 3_600 } });
    await browser.call('POST', '/invitations', { json: { email: 'invited@example.org', role: 'viewer' } });
    await harness.accountsOf.addMember(account.id, (await harness.createAccount()).id, 'viewer');
    const { headers, text } = await download(browser);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-store',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="account-data-\d{4}-\d\d-\d\d\.json"$/,
      ) as string,
    });
    const data = JSON.parse(text) as Exported;
    expect(data).toMatchObject({
      account: { id: account.id, email },
      organizations: [],
      sessions: [{ address: '127.0.0.1' }],
      members: [{ role: 'viewer' }],
      invitations: [{ email: 'invited@example.org', role: 'viewer' }],
      presets: [{ name: 'mine' }],
      webhookEndpoints: [{ enabled: true }],
      shareLinks: [{ jobId: job.id }],
      photos: [{ id: source.id }],
      batches: [{ id: batch.id, total: 1 }],
    });
    expect(data['jobs']).toContainEqual(
      expect.objectContaining({
        id: job.id,
        photoId: source.id,
        operations: ['upscale'],
        metadata: { order: '17' },
        status: 'completed',
      }),
    );
    expect(data['apiKeys']!.map(({ name }) => name)).toContain('Laptop');
    expect(data['usage']!.length).toBeGreaterThan(0);
    expect(data['auditEvents']![0]).toMatchObject({ action: 'account.exported', actor: { kind: 'person' } });
  });

  it('contains every table of an account, or the table is left out for a reason', async () => {
    const tables = await harness.rows<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns
        WHERE table_schema = 'public' AND column_name = 'account_id' ORDER BY 1`,
    );
    const read = [...USER_ROWS, ENDPOINT_ROWS, ...ACCOUNT_ROWS].map(({ page }) => page.text);
    const isRead = (name: string): boolean => read.some((text) => text.includes(`FROM ${name} `));
    const missing = tables.map(({ name }) => name).filter((name) => !isRead(name));
    expect(missing).toEqual(Object.keys(LEFT_OUT));
  });

  it('contains no secret, and nothing of another account', async () => {
    const { account, browser } = await newOwner();
    const other = await newOwner();
    await harness.newSource(other.account);
    const { url } = await harness.newSource(account);
    const made = await browser.call('POST', '/keys', { json: { name: 'Secret' } });
    const { secret } = await harness.newEndpoint(account);
    const invited = await browser.call('POST', '/invitations', {
      json: { email: 'invited@example.org', role: 'viewer' },
    });
    const { text } = await download(browser);
    const secrets = [
      (made.body as { key: string }).key,
      account.key,
      secret,
      (invited.body as { url: string }).url.split('#')[1]!,
      new URL(url).search,
      browser.csrfToken!,
      other.account.id,
      other.email,
    ];
    for (const each of secrets) {
      expect(each.length).toBeGreaterThan(5);
      expect(text).not.toContain(each);
    }
    expect(text).not.toMatch(/argon2|hash|sealed|token/i);
  });

  it('reads page by page, and marks the rows of test mode', async () => {
    const { account, browser } = await newOwner();
    const count = 2 * EXPORT_PAGE + 1;
    expect((await browser.call('POST', '/keys', { json: { name: 'Test', livemode: false } })).status).toBe(
      201,
    );
    await harness.rows(
      `INSERT INTO presets (account_id, name, operations, created_at, updated_at)
       SELECT $1, 'preset-' || n, '[]', now(), now() FROM generate_series(1, $2) n`,
      [account.id, count],
    );
    await harness.rows(
      `INSERT INTO presets (account_id, name, operations, created_at, updated_at)
       VALUES ($1, 'of-test-mode', '[]', now(), now())`,
      [testAccountOf(account.id)],
    );
    const { presets } = await dataOf(browser);
    expect(new Set(presets!.map(({ name }) => name)).size).toBe(count + 1);
    expect(presets!.filter(({ livemode }) => livemode === false).map(({ name }) => name)).toEqual([
      'of-test-mode',
    ]);
  });

  it('of an organization contains its members, and nothing of how they sign in', async () => {
    const { account } = await newOwner();
    const { browser, email } = await newMember(harness, account, 'owner');
    const data = await dataOf(browser);
    expect(data).toMatchObject({ account: { id: account.id }, members: [{ email, role: 'owner' }] });
    expect(data).not.toHaveProperty('sessions');
  });

  it('is recorded, and refused with 429 after too many, without a file', async () => {
    const { account, browser } = await newOwner();
    const path = await pathOf(browser);
    const seen = [];
    for (let index = 0; index <= MAX_EXPORTS_PER_HOUR; index += 1)
      seen.push((await browser.call('GET', path)).status);
    expect(seen).toEqual([...Array.from({ length: MAX_EXPORTS_PER_HOUR }, () => 200), 429]);
    const { headers, body } = await browser.call('GET', path);
    expect(body).toMatchObject({ code: 'too_many_attempts' });
    expect(headers['content-disposition']).toBeUndefined();
    expect(Number(headers['retry-after'])).toBeGreaterThan(3_000);
    expect(await ask(browser)).toMatchObject({ status: 429 });
    const recorded = await harness.rows(
      `SELECT 1 FROM audit_events WHERE account_id = $1 AND action = 'account.exported'`,
      [account.id],
    );
    expect(recorded).toHaveLength(MAX_EXPORTS_PER_HOUR);
  });

  it('works in the session that asked for it only, and not when the link is changed or old', async () => {
    const { browser, email } = await newOwner();
    const path = await pathOf(browser);
    const elsewhere = new DashboardClient(harness);
    await elsewhere.signIn(email);
    const dead = { status: 400, body: { code: 'link_not_valid' } };
    expect(await elsewhere.call('GET', path)).toMatchObject(dead);
    expect(await (await newOwner()).browser.call('GET', path)).toMatchObject(dead);
    expect((await new DashboardClient(harness).call('GET', path)).status).toBe(401);
    for (const changed of [path.replace(/expires=\d+/, 'expires=9999999999'), `${path.slice(0, -1)}_`])
      expect(await browser.call('GET', changed)).toMatchObject(dead);
    expect((await browser.call('GET', '/account/export')).status).toBe(400);
    expect((await browser.call('HEAD', path)).status).toBe(200);
    expect((await browser.call('GET', path)).status).toBe(200);
  });
});

describe('POST /dashboard/api/account/export', () => {
  it('requires the password, and an owner', async () => {
    const { account, browser } = await newOwner();
    expect(await ask(browser, 'not my password')).toMatchObject({
      status: 403,
      body: { code: 'wrong_password' },
    });
    const { browser: admin } = await newMember(harness, account, 'admin');
    expect(await ask(admin)).toMatchObject({ status: 403, body: { code: 'insufficient_role' } });
  });

  it('works for users without a verified address, where one is required', async () => {
    const env = {
      REQUIRE_VERIFIED_EMAIL: 'on',
      SMTP_FROM: 'mail@images.example',
      SIGN_UPS_PER_MINUTE: '1000',
    };
    const strict = await harness.another({ env });
    const browser = new DashboardClient(strict);
    await browser.newPerson('unverified-export@example.org');
    expect((await browser.call('POST', '/keys', { json: { name: 'Mine' } })).status).toBe(403);
    expect((await download(browser)).status).toBe(200);
    await strict.close();
  });
});
