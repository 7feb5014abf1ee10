import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import type { Harness } from '../../support/app/harness.js';
import { addPasskey, passkeyUser, sendPasskey, signedChallenge } from '../../support/sign-in/passkey-user.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { SoftwareAuthenticator } from '../../support/sign-in/software-authenticator.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

const refused = { status: 403, code: 'passkey_refused' };

describe('403', () => {
  it.each([
    ['from another origin', { origin: 'https://evil.example' }],
    ['for another relying party', { rpId: 'evil.example' }],
    ['to another challenge', { challenge: Buffer.from('guessed').toString('base64url') }],
    ['without a verified user', { isUserVerified: false }],
  ])('refuses a response %s', async (_, changed) => {
    const { id, authenticator } = await passkeyUser(harness);
    const browser = new DashboardClient(harness);
    const response = await signedChallenge(browser, authenticator, changed);
    expect((await sendPasskey(browser, response)).body).toMatchObject(refused);
    const rows = await harness.rows(
      `SELECT details FROM audit_events WHERE account_id = $1 AND action = 'sign_in.failed'`,
      [id],
    );
    expect(rows).toEqual([{ details: { method: 'passkey' } }]);
  });

  it('refuses the signature of another authenticator', async () => {
    const { authenticator } = await passkeyUser(harness);
    const browser = new DashboardClient(harness);
    const forged = await signedChallenge(browser, new SoftwareAuthenticator());
    const id = authenticator.id.toString('base64url');
    expect((await sendPasskey(browser, { ...forged, id, rawId: id })).body).toMatchObject(refused);
  });

  it.each([{ id: 'unknown' }, { id: 'x\0' }, { id: '\uD800' }, { id: 7 }, { id: '' }, { nothing: true }])(
    'refuses %j',
    async (response) => {
      const browser = new DashboardClient(harness);
      await browser.call('POST', '/sign-in/passkey/options', { json: {} });
      expect((await sendPasskey(browser, response)).body).toMatchObject(refused);
    },
  );

  it('refuses a passkey that was removed', async () => {
    const { browser: owner, authenticator } = await passkeyUser(harness);
    const { body } = await owner.call('GET', '/passkeys');
    const { id } = (body as { data: { id: string }[] }).data[0]!;
    await owner.call('DELETE', `/passkeys/${id}`);
    const browser = new DashboardClient(harness);
    expect((await sendPasskey(browser, await signedChallenge(browser, authenticator))).body).toMatchObject(
      refused,
    );
  });

  it('refuses a cloned passkey whose counter is behind', async () => {
    const { authenticator } = await passkeyUser(harness, 5);
    for (const counter of [5, 4, 0]) {
      authenticator.counter = counter;
      const browser = new DashboardClient(harness);
      const answer = await sendPasskey(browser, await signedChallenge(browser, authenticator));
      expect(answer.body, String(counter)).toMatchObject(refused);
    }
  });

  it('accepts only one of ten concurrent responses with the same counter', async () => {
    const { authenticator } = await passkeyUser(harness, 1);
    authenticator.counter = 2;
    const browsers = Array.from({ length: 10 }, () => new DashboardClient(harness));
    const responses = await Promise.all(browsers.map((one) => signedChallenge(one, authenticator)));
    const answers = await Promise.all(browsers.map((one, index) => sendPasskey(one, responses[index]!)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(9);
  });

  it('does not add a passkey without the password, for another challenge, or twice', async () => {
    const browser = new DashboardClient(harness);
    await browser.signInto(await harness.createAccount());
    const wrong = await browser.call('POST', '/passkeys/options', { json: { password: `not ${PASSWORD}` } });
    expect(wrong.body).toMatchObject({ status: 403, code: 'wrong_password' });
    const authenticator = new SoftwareAuthenticator();
    const party = { rpId: 'images.example', origin: 'https://images.example' };
    const response = authenticator.create({
      ...party,
      challenge: Buffer.from('guessed').toString('base64url'),
    });
    const json = { name: 'Laptop', response };
    expect((await browser.call('POST', '/passkeys', { json })).body).toMatchObject(refused);
    await browser.call('POST', '/passkeys/options', { json: { password: PASSWORD } });
    expect((await browser.call('POST', '/passkeys', { json })).body).toMatchObject(refused);
    expect((await addPasskey(browser, authenticator)).status).toBe(201);
    expect((await addPasskey(browser, authenticator)).body).toMatchObject(refused);
  });

  it('adds at most twenty, even when the last ones are added concurrently', async () => {
    const { id, browser, authenticator } = await passkeyUser(harness);
    const [row] = await harness.rows<{ public_key: Buffer }>(
      'SELECT public_key FROM passkeys WHERE account_id = $1',
      [id],
    );
    await harness.rows(
      `INSERT INTO passkeys (credential_id, account_id, rp_id, public_key, counter, transports, name)
       SELECT $1 || n, $1, 'images.example', $2, 0, '{}', 'Filler' FROM generate_series(1, 18) n`,
      [id, row!.public_key],
    );
    const elsewhere = new DashboardClient(harness);
    await sendPasskey(elsewhere, await signedChallenge(elsewhere, authenticator));
    const answers = await Promise.all(
      [browser, elsewhere].map((one) => addPasskey(one, new SoftwareAuthenticator())),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 403]);
    expect(answers.find(({ status }) => status === 403)!.body).toMatchObject({
      code: 'passkey_limit_reached',
    });
  });
});
