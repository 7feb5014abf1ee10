import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccountErasureRepository } from '../../../src/accounts/account-erasure.repository.js';
import { ObjectErasures } from '../../../src/infra/storage/object-erasures.js';
import { Database } from '../../../src/infra/database/database.js';
import { ObjectStore } from '../../../src/infra/storage/object-store.js';
import { thumbnailKey } from '../../../src/uploads/thumbnails/thumbnail.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { photo } from '../../support/images/images.js';
import { DashboardClient, PASSWORD, type TestPerson } from '../../support/app/dashboard-client.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { invite } from '../../support/app/invitations.js';
import { newMember } from '../../support/app/members.js';
import { halfSignedIn, turnOnTwoFactor } from '../../support/sign-in/two-factor-user.js';
import { addPasskey } from '../../support/sign-in/passkey-user.js';
import { SoftwareAuthenticator } from '../../support/sign-in/software-authenticator.js';
import { requestEmailChange } from '../../support/sign-in/email-changes.js';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({
    env: {
      WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
      WEBHOOK_ALLOW_HTTP: 'true',
      SMTP_FROM: 'mail@images.example',
      PASSWORD_RESETS_PER_MINUTE: '1000',
    },
  });
});
afterAll(() => harness.close());

/** A user whose account has at least one row of every kind. */
async function settled(): Promise<{ account: TestAccount; person: TestPerson; browser: DashboardClient }> {
  const account = await harness.createAccount();
  const browser = new DashboardClient(harness);
  const person = await browser.signInto(account);
  await turnOnTwoFactor(harness, browser, person.id);
  await halfSignedIn(harness, person.email);
  expect((await addPasskey(browser, new SoftwareAuthenticator())).status).toBe(201);
  await harness.rows(
    `INSERT INTO oidc_identities (issuer, subject, account_id) VALUES ('https://id.example', $1, $1)`,
    [account.id],
  );
  await harness.rows(
    `INSERT INTO oidc_links (browser_hash, issuer, subject, account_id, expires_at)
     VALUES (sha256(convert_to($1, 'UTF8')), 'https://id.example', 'other', $1, now())`,
    [account.id],
  );
  await harness.rows(
    `INSERT INTO impersonation_links VALUES (sha256(convert_to($1, 'UTF8')), $1, 'Test', now())`,
    [account.id],
  );
  await harness.rows(
    `INSERT INTO version_comparisons (id, account_id, operation, level, version_a, version_b, photo)
     VALUES ('cmp_' || $1, $1, 'upscale', 'low', 1, 2, 'photo')`,
    [account.id],
  );
  const source = await harness.newSource(account);
  const { id } = await harness.newJob(account, { sourceUrl: source.url });
  await harness.jobs.complete(id);
  const shared = await browser.call('POST', '/ai/share-links', { json: { jobId: id, expiresIn: 3_600 } });
  expect(shared.status, shared.text).toBe(201);
  for (const owner of [id, source.id])
    await harness.app.get(ObjectStore).put(thumbnailKey(owner), Buffer.from('small picture'));
  await harness.newJob(account, { sourceUrl: source.url });
  await harness.newSource(account);
  await harness.upload(account.key, Buffer.from('no picture'));
  await harness.newBatch(account, { sourceUrls: [source.url] });
  const { id: endpointId } = await harness.newEndpoint(account);
  await harness.newDelivery(account, endpointId);
  await harness.newDirectUpload(account);
  await harness.accountsOf.addMember(account.id, (await harness.createAccount()).id, 'viewer');
  await invite(browser, 'invited@example.org');
  const headers = { 'idempotency-key': 'once' };
  await harness.createJob(account.key, { sourceUrl: source.url, operation: 'upscale' }, headers);
  await browser.call('POST', '/password-resets', { json: { email: person.email } });
  await browser.call('POST', '/email-verifications', { json: {} });
  expect((await requestEmailChange(browser, `new-${person.email}`)).status).toBe(202);
  await browser.call('POST', '/plan-requests', { json: { plan: 'enterprise' } });
  const preset = { operations: [{ operation: 'upscale' }] };
  await harness.call('PUT', '/api/ai/presets/mine', { key: account.key, json: preset });
  const notice =
    "INSERT INTO account_notices (account_id, kind, key, data) VALUES ($1, 'quota', 'month', '{}')";
  await harness.rows(notice, [account.id]);
  // The sums that retention keeps of old ledger rows.
  await harness.rows("INSERT INTO quota_ledger_sums VALUES ($1, '2025-01', 'commit', 3)", [account.id]);
  return { account, person, browser };
}

/**
 * Counts the rows of every table with an account ID, from the database catalog so that no new table is missed. The
 * audit log stays, but without personal data (docs/accounts.md).
 */
async function rowsOf(accountId: string): Promise<Record<string, number>> {
  const tables = await harness.rows<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name = 'account_id' AND table_name <> 'audit_events' ORDER BY 1`,
  );
  const counts = [];
  for (const { name } of tables) {
    const [row] = await harness.rows<{ n: number }>(
      `SELECT count(*)::int AS n FROM ${name} WHERE account_id = $1`,
      [accountId],
    );
    counts.push([name, row!.n] as const);
  }
  const [own] = await harness.rows<{ n: number }>('SELECT count(*)::int AS n FROM accounts WHERE id = $1', [
    accountId,
  ]);
  return Object.fromEntries([...counts, ['accounts', own!.n]]);
}

const erase = (browser: DashboardClient, confirmation: string, password = PASSWORD) =>
  browser.call('POST', '/account/delete', { json: { confirmation, password } });

describe('POST /dashboard/api/account/delete', () => {
  it('erases all rows and objects of the account, and nothing of any other account', async () => {
    const other = await settled();
    const before = await harness.footprint();
    const rowsOfOther = await rowsOf(other.account.id);
    const { account, person, browser } = await settled();
    const had = await rowsOf(account.id);
    const empty = Object.entries(had).filter(([name, count]) => count === 0 && name !== 'quota_notices');
    expect(empty, 'tables that this test should fill').toEqual([]);
    expect((await harness.footprint()).objects - before.objects).toBe(5);

    const answer = await erase(browser, ` ${person.email.toUpperCase()} `);
    expect(answer.status, answer.text).toBe(204);
    expect((answer.headers['set-cookie'] as unknown as string[])[0]).toMatch(/^__Host-ies_session=; /);
    expect(Object.values(await rowsOf(account.id)).every((count) => count === 0)).toBe(true);
    expect(await harness.footprint()).toEqual(before);
    expect(await harness.rows('SELECT 1 FROM object_erasures')).toEqual([]);
    expect(await rowsOf(other.account.id)).toEqual(rowsOfOther);

    expect((await browser.call('GET', '/session')).body).toMatchObject({ account: null });
    expect((await harness.call('GET', '/api/usage', { key: account.key })).status).toBe(401);
    expect(
      (await browser.call('POST', '/sign-in', { json: { email: person.email, password: PASSWORD } })).status,
    ).toBe(401);
    expect((await harness.call('GET', '/api/usage', { key: other.account.key })).status).toBe(200);
    // The address is free again.
    await new DashboardClient(harness).newPerson(person.email);
  });

  it('keeps audit events of a former member in the organization, but not their IP address', async () => {
    const organization = await harness.createAccount();
    const { browser, id, email } = await newMember(harness, organization, 'developer');
    const key = await browser.call('POST', '/keys', { json: { name: 'Ours' } });
    expect(key.status, key.text).toBe(201);
    const done = () =>
      harness.rows<{ name: string | null }>(
        `SELECT actor_id, address, user_agent IS NULL AS "hasNoAgent", details->>'name' AS name FROM audit_events
          WHERE account_id = $1 AND action = 'key.created' AND actor_id = $2`,
        [organization.id, id],
      );
    const { name } = (await done())[0]!;
    expect(await done()).toMatchObject([{ address: '127.0.0.1' }]);
    await browser.call('POST', `/organizations/${id}/switch`, { json: {} });
    const { status, text } = await erase(browser, email);
    expect(status, text).toBe(204);
    expect(await done()).toEqual([{ actor_id: id, address: null, hasNoAgent: true, name }]);
  });

  it('records in the organization that the member left, and that their open invitations ended', async () => {
    const organization = await harness.createAccount();
    const { browser, id, email } = await newMember(harness, organization, 'admin');
    await invite(browser, 'grace@example.org');
    await browser.call('POST', `/organizations/${id}/switch`, { json: {} });
    const { status, text } = await erase(browser, email);
    expect(status, text).toBe(204);
    const rows = await harness.rows(
      `SELECT action, actor_id, target_id, address, details FROM audit_events
        WHERE account_id = $1 AND action IN ('member.left', 'invitation.revoked') ORDER BY id`,
      [organization.id],
    );
    expect(rows).toMatchObject([
      { action: 'invitation.revoked', actor_id: id, address: null, details: { email: 'grace@example.org' } },
      { action: 'member.left', actor_id: id, target_id: id, address: null, details: { role: 'admin' } },
    ]);
  });

  it('ends running jobs, so that their workers can no longer complete them', async () => {
    const before = await harness.footprint();
    const { account, person, browser } = await settled();
    const { id } = await harness.newJob(account);
    const lease = await harness.jobs.claim(id);
    expect((await erase(browser, person.email)).status).toBe(204);
    expect(await harness.jobs.completeLease(lease, Buffer.from('too late'))).toBe(false);
    expect((await harness.rows('SELECT 1 FROM jobs WHERE id = $1', [id])).length).toBe(0);
    // A real worker then deletes what it stored; the one of the harness does not.
    expect((await harness.footprint()).objects).toBe(before.objects + 1);
  });

  it('requires the typed-out address and the right password', async () => {
    const { account, person, browser } = await settled();
    const before = await harness.footprint();
    const rows = await rowsOf(account.id);
    for (const confirmation of ['', 'yes', account.id, `${person.email}x`]) {
      const { status, body } = await erase(browser, confirmation);
      expect({ status, body: body as unknown }).toMatchObject({
        status: 400,
        body: { errors: [{ field: 'confirmation' }] },
      });
    }
    const wrong = await erase(browser, person.email, 'wrong wrong wrong');
    expect({ status: wrong.status, body: wrong.body as unknown }).toMatchObject({
      status: 403,
      body: { code: 'wrong_password' },
    });
    expect(await harness.footprint()).toEqual(before);
    expect(await rowsOf(account.id)).toEqual(rows);
  });

  it('refuses requests that were in flight, and leaves neither rows nor objects of them', async () => {
    const before = await harness.footprint();
    const account = await harness.createAccount();
    const { url: sourceUrl } = await harness.newSource(account);
    const database = harness.app.get(Database);
    const underWay: Promise<Response>[] = [];
    await database.transaction(async (tx) => {
      await new AccountErasureRepository().erase(tx, account.id);
      const form = new FormData();
      form.set('file', new Blob([new Uint8Array(await photo(20, 10, 'png'))]), 'photo.png');
      const order = JSON.stringify({ sourceUrl, operation: 'upscale' });
      const send = (path: string, type: object, body: FormData | string): Promise<Response> =>
        fetch(`${harness.url}${path}`, {
          method: 'POST',
          headers: { 'x-api-key': account.key, ...type },
          body,
        });
      underWay.push(send('/api/ai/upload', {}, form));
      underWay.push(send('/api/ai/enhance', { 'content-type': 'application/json' }, order));
      // Wait until locks on the rows of the account block both requests.
      await eventually('both to wait', async () => {
        const [row] = await database.query<{ n: number }>(
          `SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
        );
        return row!.n === 2 ? { found: true } : { seen: row };
      });
    });
    for (const { status } of await Promise.all(underWay)) expect([401, 404]).toContain(status);
    await harness.app.get(ObjectErasures).erase(10);
    expect(await harness.footprint()).toEqual(before);
  });

  it('erases the account once when several requests arrive at the same time', async () => {
    const { person, browser } = await settled();
    const answers = await Promise.all([1, 2, 3].map(() => erase(browser, person.email)));
    const seen = answers.map(({ status }) => status);
    expect(seen).toContain(204);
    for (const status of seen) expect([204, 401, 403]).toContain(status);
  });
});
