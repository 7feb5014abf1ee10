import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Role, ROLES } from '../../../src/kernel/accounts/roles.js';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import { DASHBOARD_ROUTES } from '../../support/app/dashboard-routes.js';
import type { Harness } from '../../support/app/harness.js';
import { atTheSameTime } from '../../support/app/organization-lock.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { type Member, newMember } from '../../support/app/members.js';

let harness: Harness;
let organization: { id: string };
const members = {} as Record<Role, Member>;
beforeAll(async () => {
  harness = await sharedHarness();
  organization = await harness.createAccount();
  for (const role of ROLES) members[role] = await newMember(harness, organization, role);
});
afterAll(() => harness.close());

const memberRows = () =>
  harness.rows('SELECT * FROM memberships WHERE account_id = $1 ORDER BY user_id', [organization.id]);

describe('403', () => {
  it.each(ROLES)('%s is refused on every route that the role table does not allow', async (role) => {
    const refused = DASHBOARD_ROUTES.filter(({ roles }) => !roles.includes(role[0]!));
    const before = [await harness.footprint(), await memberRows()];
    for (const { method, path } of refused) {
      const short = path.replace('/dashboard/api', '').replace('{id}', 'job_1').replace('{name}', 'mine');
      const json = method === 'GET' ? {} : { json: {} };
      const { status, body } = await members[role].browser.call(method, short, json);
      expect({ method, path, status, body: body as unknown }).toMatchObject({
        status: 403,
        body: { code: 'insufficient_role', role },
      });
    }
    expect([await harness.footprint(), await memberRows()]).toEqual(before);
  });

  it('admins can neither create owners nor change them', async () => {
    const { owner, admin, viewer } = members;
    const before = await memberRows();
    const answers = [
      await admin.browser.call('PATCH', `/members/${viewer.id}`, { json: { role: 'owner' } }),
      await admin.browser.call('PATCH', `/members/${admin.id}`, { json: { role: 'owner' } }),
      await admin.browser.call('PATCH', `/members/${owner.id}`, { json: { role: 'viewer' } }),
      await admin.browser.call('DELETE', `/members/${owner.id}`),
    ];
    for (const { status, body } of answers)
      expect({ status, body: body as unknown }).toMatchObject({
        status: 403,
        body: { code: 'insufficient_role' },
      });
    expect(await memberRows()).toEqual(before);
  });

  it('an owner who is not the primary owner cannot delete the account', async () => {
    const [row] = await harness.rows<{ email: string }>('SELECT email FROM accounts WHERE id = $1', [
      organization.id,
    ]);
    const json = { password: PASSWORD, confirmation: row!.email };
    const { status, body } = await members.owner.browser.call('POST', '/account/delete', { json });
    expect({ status, body: body as unknown }).toMatchObject({
      status: 403,
      body: { code: 'insufficient_role' },
    });
    expect(await harness.rows('SELECT 1 FROM accounts WHERE id = $1', [organization.id])).toHaveLength(1);
  });

  it('a page that was opened in another organization cannot change anything in this one', async () => {
    const { browser, id } = await newMember(harness, organization, 'developer');
    const headers = { 'x-csrf-token': browser.csrfToken! };
    await browser.call('POST', `/organizations/${id}/switch`, { json: {} });
    const tab = new DashboardClient(harness);
    tab.cookie = browser.cookie;
    const { status, body } = await tab.call('POST', '/keys', { json: { name: 'Wrong place' }, headers });
    expect({ status, body: body as unknown }).toMatchObject({ status: 403, body: { code: 'csrf_refused' } });
  });

  it('when two admins remove or demote each other at the same time, one succeeds', async () => {
    for (const round of [1, 2, 3, 4]) {
      const admins = [
        await newMember(harness, organization, 'admin'),
        await newMember(harness, organization, 'admin'),
      ];
      const calls = admins.map(({ browser }, index) => () => {
        const { id } = admins[1 - index]!;
        return round % 2 === 0
          ? browser.call('DELETE', `/members/${id}`)
          : browser.call('PATCH', `/members/${id}`, { json: { role: 'viewer' } });
      });
      const answers = await atTheSameTime(harness, organization.id, calls);
      const statuses = answers.map(({ status }) => status);
      expect(statuses.toSorted((a, b) => a - b)).toEqual([round % 2 === 0 ? 204 : 200, 403]);
    }
  });
});
