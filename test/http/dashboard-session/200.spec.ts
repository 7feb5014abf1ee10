import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PERMISSIONS } from '../../../src/kernel/accounts/roles.js';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import type { Harness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

const setCookie = (answer: { headers: Record<string, unknown> }): string =>
  (answer.headers['set-cookie'] as string[]).join('\n');

describe('a session', () => {
  it('starts with sign-up and sign-in, and describes the user and the account', async () => {
    const browser = new DashboardClient(harness);
    expect((await browser.call('GET', '/session')).body).toEqual({
      user: null,
      account: null,
      role: null,
      permissions: [],
      csrfToken: null,
      expiresAt: null,
      impersonation: null,
      signUp: 'open',
      sendsMail: false,
      requiresVerifiedEmail: false,
      secondFactorRequired: false,
      oidcName: null,
      maxInputPixels: 50_000_000,
    });
    const { id, email } = await browser.newPerson(' First.Person@Example.org ');
    const { status, body } = await browser.call('GET', '/session');
    expect(status).toBe(200);
    expect(body).toEqual({
      user: {
        id,
        email: email.trim(),
        operator: false,
        isEmailVerified: false,
        hasVerificationLink: false,
        hasPassword: true,
      },
      role: 'owner',
      permissions: PERMISSIONS,
      account: {
        id,
        email: email.trim(),
        name: email.trim(),
        ownerId: id,
        plan: 'free',
        limits: { rpm: 30, enhancements: 50, storageBytes: 2 ** 30, keys: 1 },
        createdAt: expect.stringMatching(/Z$/) as string,
      },
      csrfToken: expect.stringMatching(/^[\w-]{43}$/) as string,
      expiresAt: expect.stringMatching(/Z$/) as string,
      impersonation: null,
      signUp: 'open',
      sendsMail: false,
      requiresVerifiedEmail: false,
      secondFactorRequired: false,
      oidcName: null,
      maxInputPixels: 50_000_000,
    });
    expect(await harness.rows('SELECT count(*)::int AS n FROM sessions WHERE account_id = $1', [id])).toEqual(
      [{ n: 1 }],
    );
  });

  it('lives in a cookie that scripts and other sites cannot use; the database holds only its hash', async () => {
    const browser = new DashboardClient(harness);
    const { email, id } = await browser.newPerson();
    const answer = await browser.call('POST', '/sign-in', { json: { email, password: PASSWORD } });
    expect(setCookie(answer)).toMatch(
      /^__Host-ies_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Strict\n__Host-ies_device=[\w-]{43}; Max-Age=34560000; /,
    );
    const token = browser.cookie!.split('=')[1]!;
    const rows = await harness.rows<{ token_hash: Buffer }>('SELECT * FROM sessions WHERE account_id = $1', [
      id,
    ]);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(rows[0]!.token_hash).toHaveLength(32);
  });

  it('accepts any spelling of the address, and ends the previous session of the browser', async () => {
    const browser = new DashboardClient(harness);
    const { email, id } = await browser.newPerson('Mixed.Case@example.org');
    const before = browser.cookie!;
    expect(await browser.signIn(` ${email.toUpperCase()} `)).toMatchObject({ id });
    expect(browser.cookie).not.toBe(before);
    const old = await browser.call('GET', '/session', { headers: { cookie: before } });
    expect(old.body).toMatchObject({ account: null });
  });

  it('ends when it is idle for too long, and at the latest when its lifetime is over', async () => {
    const browser = new DashboardClient(harness);
    const { id } = await browser.newPerson();
    const seen = (interval: string) =>
      harness.rows(
        `UPDATE sessions SET last_seen_at = now() - interval '${interval}' WHERE account_id = $1`,
        [id],
      );
    await seen('6 days');
    expect((await browser.call('GET', '/session')).body).toMatchObject({ account: { id } });
    const [row] = await harness.rows<{ fresh: boolean }>(
      `SELECT last_seen_at > now() - interval '1 minute' AS fresh FROM sessions WHERE account_id = $1`,
      [id],
    );
    expect(row).toEqual({ fresh: true });
    await seen('8 days');
    expect((await browser.call('GET', '/session')).body).toMatchObject({ account: null });
    await browser.call('GET', '/session');
    const again = new DashboardClient(harness);
    await again.signIn(
      (await harness.rows<{ email: string }>('SELECT email FROM accounts WHERE id = $1', [id]))[0]!.email,
    );
    await harness.rows(`UPDATE sessions SET expires_at = now() WHERE account_id = $1`, [id]);
    expect((await again.call('GET', '/session')).body).toMatchObject({ account: null });
  });

  it('ends with sign-out, for this browser only', async () => {
    const [here, there] = [new DashboardClient(harness), new DashboardClient(harness)];
    const { email, id } = await here.newPerson();
    await there.signIn(email);
    const cookie = here.cookie!;
    const answer = await here.call('POST', '/sign-out');
    expect(answer.status).toBe(204);
    expect(setCookie(answer)).toMatch(/^__Host-ies_session=; .*Expires=Thu, 01 Jan 1970/);
    expect((await there.call('GET', '/session', { headers: { cookie } })).body).toMatchObject({
      account: null,
    });
    expect((await there.call('GET', '/session')).body).toMatchObject({ account: { id } });
    expect((await here.call('POST', '/sign-out')).status).toBe(204);
  });
});
