import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { addPasskey, passkeyUser } from '../../support/sign-in/passkey-user.js';
import { SoftwareAuthenticator } from '../../support/sign-in/software-authenticator.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

describe('400', () => {
  it.each(['', '  \t', 'x\0', 'x'.repeat(101), '\uD800'])('a passkey cannot be named %j', async (name) => {
    const { browser } = await passkeyUser(harness);
    const added = await addPasskey(browser, new SoftwareAuthenticator(), name);
    expect(added.body).toMatchObject({ status: 400, errors: [{ field: 'name' }] });
    const { body } = await browser.call('GET', '/passkeys');
    const [{ id }] = (body as { data: [{ id: string }] }).data;
    const renamed = await browser.call('PATCH', `/passkeys/${id}`, { json: { name } });
    expect(renamed.body).toMatchObject({ status: 400, errors: [{ field: 'name' }] });
    expect((await browser.call('GET', '/passkeys')).body).toEqual(body);
  });
});
