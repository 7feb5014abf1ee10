import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TemporaryPasswordDto } from '../../../src/operator/accounts/console-account.dto.js';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import { type Harness, startHarness } from '../../support/app/harness.js';
import { OperatorClient } from '../../support/app/operator-client.js';

const OWN_PASSWORD = 'another cow jumped over the sun';

let harness: Harness;
let operator: OperatorClient;
beforeAll(async () => {
  harness = await startHarness({ env: { SIGN_IN_ATTEMPTS_PER_MINUTE: '1000' } });
  operator = await OperatorClient.start(harness);
});
afterAll(() => harness.close());

describe('POST /operator/api/accounts/{id}/reset-password', () => {
  it('returns a password that works for a day, until the user sets another one', async () => {
    const browser = new DashboardClient(harness);
    const { id, email } = await browser.signInto(await harness.createAccount());
    const { password, expiresAt } = await operator.expect<TemporaryPasswordDto>(
      200,
      'POST',
      `/accounts/${id}/reset-password`,
    );
    expect(password).toMatch(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/);
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(23 * 3_600_000);
    expect((await browser.call('GET', '/keys')).status).toBe(401);
    const signIn = (given: string) =>
      new DashboardClient(harness).call('POST', '/sign-in', { json: { email, password: given } });
    expect((await signIn(PASSWORD)).status).toBe(401);
    await browser.signIn(email, password);
    expect(await operator.audited(id)).toEqual([{ action: 'password.reset', details: {} }]);
    expect(
      await harness.rows(
        'SELECT kind, data FROM account_notices WHERE account_id = $1 ORDER BY id DESC LIMIT 1',
        [id],
      ),
    ).toEqual([{ kind: 'sign_in_changed', data: { change: 'password_reset_by_operator' } }]);
    const expire = () =>
      harness.rows(
        `UPDATE accounts SET password_expires_at = now() - interval '1 second'
          WHERE id = $1 AND password_expires_at IS NOT NULL`,
        [id],
      );
    const change = (currentPassword: string) =>
      browser.call('POST', '/account/password', { json: { currentPassword, newPassword: OWN_PASSWORD } });
    expect((await change(password)).status).toBe(200);
    await expire();
    expect((await signIn(OWN_PASSWORD)).status).toBe(200);
    const again = await operator.expect<TemporaryPasswordDto>(200, 'POST', `/accounts/${id}/reset-password`);
    expect(again.password).not.toBe(password);
    await expire();
    expect((await signIn(again.password)).body).toMatchObject({ code: 'invalid_credentials' });
    expect(JSON.stringify(await harness.rows('SELECT * FROM audit_events'))).not.toContain(again.password);
  });

  it('sets a password for an account that has only used keys', async () => {
    const { id } = await harness.createAccount();
    const { password } = await operator.expect<TemporaryPasswordDto>(
      200,
      'POST',
      `/accounts/${id}/reset-password`,
    );
    const { email } = await operator.get<{ email: string }>(`/accounts/${id}`);
    expect((await new DashboardClient(harness).signIn(email, password)).id).toBe(id);
  });

  it('refuses an organization, because nobody signs in to it', async () => {
    const browser = new DashboardClient(harness);
    await browser.signInto(await harness.createAccount());
    const { body } = await browser.call('POST', '/organizations', { json: { name: 'Shop' } });
    const { id } = (body as { account: { id: string } }).account;
    const answer = await operator.call('POST', `/accounts/${id}/reset-password`);
    expect(answer).toMatchObject({ status: 404, body: { detail: expect.stringContaining('no password') } });
    expect(await harness.rows('SELECT password_hash FROM accounts WHERE id = $1', [id])).toEqual([
      { password_hash: null },
    ]);
    expect(await operator.audited(id)).toEqual([]);
  });
});

describe('POST /operator/api/accounts/{id}/sign-out', () => {
  it('ends every session of the user, and revokes no key', async () => {
    const account = await harness.createAccount();
    const [one, other] = [new DashboardClient(harness), new DashboardClient(harness)];
    await one.signInto(account);
    const { email } = await operator.get<{ email: string }>(`/accounts/${account.id}`);
    await other.signIn(email);
    const path = `/accounts/${account.id}/sign-out`;
    expect(await operator.expect(200, 'POST', path)).toEqual({ sessions: 2 });
    expect(await operator.expect(200, 'POST', path)).toEqual({ sessions: 0 });
    for (const browser of [one, other]) expect((await browser.call('GET', '/keys')).status).toBe(401);
    expect((await harness.call('GET', '/api/usage', { key: account.key })).status).toBe(200);
    expect(await operator.audited(account.id)).toEqual([
      { action: 'session.revoked', details: { sessions: 2 } },
    ]);
  });
});

describe('POST /operator/api/accounts/{id}/delete', () => {
  it('erases the account with its objects, and records who did it', async () => {
    const account = await harness.createAccount();
    const browser = new DashboardClient(harness);
    await browser.signInto(account);
    const job = await harness.newJob(account);
    await harness.jobs.complete(job.id);
    const { email } = await operator.get<{ email: string }>(`/accounts/${account.id}`);
    const json = { confirmation: ` ${email.toUpperCase()} ` };
    const answer = await operator.call('POST', `/accounts/${account.id}/delete`, { json });
    expect(answer.status, answer.text).toBe(204);
    expect((await harness.call('GET', '/api/usage', { key: account.key })).status).toBe(401);
    expect((await browser.call('GET', '/keys')).status).toBe(401);
    expect(await harness.rows('SELECT id FROM jobs WHERE account_id = $1', [account.id])).toEqual([]);
    expect(await harness.rows('SELECT object_key FROM object_erasures')).toEqual([]);
    expect((await operator.call('POST', `/accounts/${account.id}/delete`, { json })).status).toBe(404);
    expect(await operator.audited(account.id)).toEqual([{ action: 'account.deleted', details: {} }]);
    const events = await harness.rows('SELECT * FROM audit_events WHERE account_id = $1', [account.id]);
    expect(JSON.stringify(events)).not.toContain(email);
  });
});
