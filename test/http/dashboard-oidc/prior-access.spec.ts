import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import type { Harness } from '../../support/app/harness.js';
import { mailsTo } from '../../support/mail/outbox.js';
import type { TestOpenIdProvider } from '../../support/network/openid-provider.js';
import { newProviderUser, OidcBrowser } from '../../support/sign-in/oidc-browser.js';
import { startOidcHarness } from '../../support/sign-in/oidc-harness.js';
import { addPasskey, sendPasskey, signedChallenge } from '../../support/sign-in/passkey-user.js';
import { SoftwareAuthenticator } from '../../support/sign-in/software-authenticator.js';
import { enterCode, twoFactorUser } from '../../support/sign-in/two-factor-user.js';

let provider: TestOpenIdProvider;
let harness: Harness;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ provider, harness, close } = await startOidcHarness({ SMTP_FROM: 'mail@images.example' }));
});
afterAll(() => close?.());
beforeEach(() => provider.reset());

const waysInto = async (id: string): Promise<unknown> =>
  (
    await harness.rows(
      `SELECT (SELECT count(*) FROM passkeys WHERE account_id = $1)::int AS passkeys,
              (SELECT count(*) FROM two_factor_secrets WHERE account_id = $1)::int AS "twoFactor",
              (SELECT count(*) FROM oidc_identities WHERE account_id = $1)::int AS identities,
              (SELECT count(*) FROM sessions WHERE account_id = $1)::int AS sessions,
              (SELECT count(*) FROM api_keys WHERE account_id = $1 AND revoked_at IS NULL)::int AS keys`,
      [id],
    )
  )[0];

const noticesTo = async (email: string): Promise<string[]> =>
  (await mailsTo(harness, email))
    .filter(({ kind }) => kind === 'sign_in_changed')
    .map(({ subject }) => subject);

const REMOVED = 'Earlier access to your account was removed';

describe('linking an identity that verifies the address for the first time', () => {
  it('removes other ways to sign in, earlier sessions, and keys', async () => {
    const owner = new DashboardClient(harness);
    const { id, email } = await owner.newPerson();
    const authenticator = new SoftwareAuthenticator();
    await addPasskey(owner, authenticator);
    await owner.call('POST', '/keys', { json: { name: 'Mine', scopes: ['image:read'] } });
    await harness.rows(
      `INSERT INTO oidc_identities (issuer, subject, account_id) VALUES ('https://id.example', $1, $1)`,
      [id],
    );
    const browser = new OidcBrowser(harness);
    await browser.signIn(newProviderUser(provider, email));
    await browser.dashboard.signIn(email);
    expect(await waysInto(id)).toEqual({ passkeys: 0, twoFactor: 0, identities: 1, sessions: 1, keys: 0 });
    expect((await browser.account())!.id).toBe(id);
    expect(await noticesTo(email)).toEqual(['A passkey was added', 'A sign-in provider was linked', REMOVED]);
    const details = { passkeys: 1, identities: 1, sessions: 1, keys: 1 };
    const recorded = await harness.rows(
      `SELECT details FROM audit_events WHERE account_id = $1 AND action = 'account.access_removed'`,
      [id],
    );
    expect(recorded).toEqual([{ details }]);
  });

  it('keeps the second factor that was entered', async () => {
    const { id, email, app } = await twoFactorUser(harness);
    const browser = new OidcBrowser(harness);
    await browser.signIn(newProviderUser(provider, email));
    await browser.dashboard.call('POST', '/sign-in', { json: { email, password: PASSWORD } });
    expect((await enterCode(browser.dashboard, app.code())).status).toBe(200);
    expect(await waysInto(id)).toMatchObject({ twoFactor: 1, identities: 1, sessions: 1 });
  });

  it('keeps the passkey that was used', async () => {
    const owner = new DashboardClient(harness);
    const { id, email } = await owner.newPerson();
    const [used, other] = [new SoftwareAuthenticator(), new SoftwareAuthenticator()];
    for (const authenticator of [used, other])
      expect((await addPasskey(owner, authenticator)).status).toBe(201);
    const browser = new OidcBrowser(harness);
    await browser.signIn(newProviderUser(provider, email));
    await sendPasskey(browser.dashboard, await signedChallenge(browser.dashboard, used));
    expect(await waysInto(id)).toMatchObject({ passkeys: 1, identities: 1, sessions: 1 });
    const again = new DashboardClient(harness);
    expect((await sendPasskey(again, await signedChallenge(again, used))).status).toBe(200);
  });

  it('removes nothing if the address was already verified', async () => {
    const owner = new DashboardClient(harness);
    const { id, email } = await owner.newPerson();
    await addPasskey(owner, new SoftwareAuthenticator());
    await harness.rows('UPDATE accounts SET email_verified_at = now() WHERE id = $1', [id]);
    const browser = new OidcBrowser(harness);
    await browser.signIn(newProviderUser(provider, email));
    await browser.dashboard.signIn(email);
    expect(await waysInto(id)).toMatchObject({ passkeys: 1, identities: 1, sessions: 2 });
    expect(await noticesTo(email)).not.toContain(REMOVED);
  });
});
