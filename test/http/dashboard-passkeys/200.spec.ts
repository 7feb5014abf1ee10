import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import type { Harness } from '../../support/app/harness.js';
import { addPasskey, passkeyUser, sendPasskey, signedChallenge } from '../../support/sign-in/passkey-user.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { SoftwareAuthenticator } from '../../support/sign-in/software-authenticator.js';
import { twoFactorUser } from '../../support/sign-in/two-factor-user.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly lastUsedAt: string | null;
}

const listed = async (browser: DashboardClient): Promise<Listed[]> =>
  ((await browser.call('GET', '/passkeys')).body as { data: Listed[] }).data;

const actions = async (accountId: string): Promise<unknown[]> =>
  (
    await harness.rows<{ action: string; target_id: string | null; details: object }>(
      `SELECT action, target_id, details FROM audit_events WHERE account_id = $1
          AND action ~ '^(passkey|sign_in)' ORDER BY id`,
      [accountId],
    )
  ).map(({ action, target_id: target, details }) => [action, target, details]);

describe('passkeys of a user', () => {
  it('can be added, renamed, and removed', async () => {
    const { id, browser } = await passkeyUser(harness);
    const second = await addPasskey(browser, new SoftwareAuthenticator(), '  Phone ');
    expect((second.body as { data: Listed[] }).data.map(({ name }) => name)).toEqual(['Laptop', 'Phone']);
    const [laptop, phone] = await listed(browser);
    expect(laptop).toEqual({
      id: expect.stringMatching(/^[\da-f]{32}$/) as string,
      name: 'Laptop',
      host: 'images.example',
      createdAt: expect.stringMatching(/^20.*Z$/) as string,
      lastUsedAt: null,
    });
    const renamed = await browser.call('PATCH', `/passkeys/${laptop!.id}`, { json: { name: 'Desk' } });
    expect(renamed.status, renamed.text).toBe(200);
    expect((await browser.call('DELETE', `/passkeys/${phone!.id}`)).status).toBe(200);
    expect((await listed(browser)).map(({ name }) => name)).toEqual(['Desk']);
    expect((await actions(id)).slice(-4)).toEqual([
      ['passkey.added', laptop!.id, { name: 'Laptop' }],
      ['passkey.added', phone!.id, { name: 'Phone' }],
      ['passkey.renamed', laptop!.id, { name: 'Desk' }],
      ['passkey.removed', phone!.id, { name: 'Phone' }],
    ]);
  });

  it('sign in without a password', async () => {
    const { id, authenticator, browser: owner } = await passkeyUser(harness);
    const browser = new DashboardClient(harness);
    const answer = await sendPasskey(browser, await signedChallenge(browser, authenticator));
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({ user: { id } });
    expect((await browser.call('GET', '/keys')).status).toBe(200);
    const [{ id: passkeyId, lastUsedAt }] = (await listed(owner)) as [Listed];
    expect(lastUsedAt).not.toBeNull();
    expect((await actions(id)).at(-1)).toEqual(['sign_in.succeeded', passkeyId, { method: 'passkey' }]);
  });

  it('count as two factors, so no code is required', async () => {
    const { id, browser } = await twoFactorUser(harness);
    const authenticator = new SoftwareAuthenticator();
    expect((await addPasskey(browser, authenticator)).status).toBe(201);
    const elsewhere = new DashboardClient(harness);
    const answer = await sendPasskey(elsewhere, await signedChallenge(elsewhere, authenticator));
    expect(answer.body).toMatchObject({ user: { id }, secondFactorRequired: false });
  });

  it.each([
    { what: 'some', given: ['usb', 'x\0', 'usb', 'telepathy', 7, 'hybrid'], kept: ['hybrid', 'usb'] },
    { what: 'many unknown', given: Array.from({ length: 150 }, (_, index) => `way${index}`), kept: [] },
    { what: 'none in an array', given: 'usb', kept: [] },
    { what: 'none', given: undefined, kept: [] },
  ])('keep only known transports: $what', async ({ given, kept }) => {
    const browser = new DashboardClient(harness);
    const { id } = await browser.signInto(await harness.createAccount());
    const authenticator = new SoftwareAuthenticator();
    authenticator.transports = given;
    const added = await addPasskey(browser, authenticator);
    expect(added.status, added.text).toBe(201);
    const rows = await harness.rows('SELECT transports FROM passkeys WHERE account_id = $1', [id]);
    expect(rows).toEqual([{ transports: kept }]);
    const options = await browser.call('POST', '/passkeys/options', { json: { password: PASSWORD } });
    expect(options.body).toMatchObject({ options: { excludeCredentials: [{ transports: kept }] } });
  });

  it('can sign in repeatedly while the counter increases', async () => {
    const { authenticator } = await passkeyUser(harness, 7);
    for (const counter of [8, 9, 1_000_000]) {
      authenticator.counter = counter;
      const browser = new DashboardClient(harness);
      expect((await sendPasskey(browser, await signedChallenge(browser, authenticator))).status).toBe(200);
    }
  });

  it('work only on the host that they were created for', async () => {
    const { authenticator } = await passkeyUser(harness);
    const browser = new DashboardClient(harness);
    const host = new URL(harness.url).host;
    const headers = { origin: `http://${host}`, host };
    const { body } = await browser.call('POST', '/sign-in/passkey/options', { json: {}, headers });
    const { challenge, rpId } = (body as { options: { challenge: string; rpId: string } }).options;
    expect(rpId).toBe('127.0.0.1');
    const response = authenticator.get({ challenge, rpId, origin: `http://${host}` });
    const answer = await browser.call('POST', '/sign-in/passkey', { json: { response }, headers });
    expect(answer.body).toMatchObject({ status: 403, code: 'passkey_refused' });
  });
});
