import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness } from '../../support/app/harness.js';
import { passkeyUser } from '../../support/sign-in/passkey-user.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

describe('404', () => {
  it('passkeys of another user cannot be renamed or removed', async () => {
    const [mine, theirs] = [await passkeyUser(harness), await passkeyUser(harness)];
    const { body } = await theirs.browser.call('GET', '/passkeys');
    const { id } = (body as { data: { id: string }[] }).data[0]!;
    const json = { name: 'Mine' };
    expect((await mine.browser.call('PATCH', `/passkeys/${id}`, { json })).status).toBe(404);
    expect((await mine.browser.call('DELETE', `/passkeys/${id}`)).status).toBe(404);
    expect((await theirs.browser.call('GET', '/passkeys')).body).toEqual(body);
  });
});
