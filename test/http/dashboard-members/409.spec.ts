import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import type { Harness } from '../../support/app/harness.js';
import { newMember } from '../../support/app/members.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

describe('409', () => {
  it('the primary owner stays an owner, so an organization never lacks one', async () => {
    const account = await harness.createAccount();
    const { browser: owner } = await newMember(harness, account, 'owner');
    const primary = new DashboardClient(harness);
    await primary.signInto(account);
    const answers = [
      await owner.call('PATCH', `/members/${account.id}`, { json: { role: 'viewer' } }),
      await owner.call('DELETE', `/members/${account.id}`),
      await primary.call('PATCH', `/members/${account.id}`, { json: { role: 'viewer' } }),
      await primary.call('DELETE', `/members/${account.id}`),
      await primary.call('POST', '/members/leave', { json: {} }),
    ];
    for (const { status, body } of answers)
      expect({ status, body: body as unknown }).toMatchObject({
        status: 409,
        body: { code: 'primary_owner' },
      });
    const { body } = await primary.call('GET', '/members');
    expect(body).toMatchObject({ data: [{ userId: account.id, role: 'owner', isPrimaryOwner: true }, {}] });
  });
});
