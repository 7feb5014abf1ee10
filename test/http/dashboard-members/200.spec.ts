import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { newMember } from '../../support/app/members.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let organization: TestAccount;
let owner: DashboardClient;
beforeAll(async () => {
  harness = await sharedHarness();
  organization = await harness.createAccount();
  owner = new DashboardClient(harness);
  await owner.signInto(organization);
});
afterAll(() => harness.close());

/** The audit events of the organization that concern this user. */
const audited = async (userId: string) =>
  harness.rows(
    `SELECT action, actor_kind, actor_id, details FROM audit_events
      WHERE account_id = $1 AND target_id = $2 ORDER BY id`,
    [organization.id, userId],
  );

describe('members', () => {
  it('are listed with their roles, the primary owner first', async () => {
    const { id, email } = await newMember(harness, organization, 'viewer');
    const { status, body } = await owner.call('GET', '/members');
    expect(status).toBe(200);
    const { data } = body as { data: { userId: string }[] };
    expect(data[0]).toMatchObject({ userId: organization.id, role: 'owner', isPrimaryOwner: true });
    expect(data.find(({ userId }) => userId === id)).toEqual({
      userId: id,
      email,
      role: 'viewer',
      isPrimaryOwner: false,
      joinedAt: expect.stringMatching(/Z$/) as string,
    });
  });

  it('get a new role at once, and the audit log names who gave it', async () => {
    const { browser, id } = await newMember(harness, organization, 'developer');
    expect((await browser.call('POST', '/keys', { json: { name: 'Shop' } })).status).toBe(201);
    const change = () => owner.call('PATCH', `/members/${id}`, { json: { role: 'viewer' } });
    expect((await change()).body).toMatchObject({ userId: id, role: 'viewer' });
    expect((await change()).status).toBe(200);
    expect((await browser.call('POST', '/keys', { json: { name: 'Shop' } })).status).toBe(403);
    expect(await audited(id)).toEqual([
      { action: 'member.added', actor_kind: 'system', actor_id: null, details: { role: 'developer' } },
      { action: 'member.switched', actor_kind: 'person', actor_id: id, details: {} },
      {
        action: 'member.role_changed',
        actor_kind: 'person',
        actor_id: organization.id,
        details: { from: 'developer', to: 'viewer' },
      },
    ]);
    const [key] = await harness.rows(
      `SELECT actor_id FROM audit_events WHERE account_id = $1 AND action = 'key.created' AND actor_kind = 'person'`,
      [organization.id],
    );
    expect(key).toEqual({ actor_id: id });
  });

  it('who are removed are back in their own account at once', async () => {
    const { browser, id } = await newMember(harness, organization, 'admin');
    expect((await owner.call('DELETE', `/members/${id}`)).status).toBe(204);
    expect((await browser.call('GET', '/session')).body).toMatchObject({
      account: { id },
      user: { id },
      role: 'owner',
    });
    expect(
      (await browser.call('POST', `/organizations/${organization.id}/switch`, { json: {} })).status,
    ).toBe(404);
    expect((await owner.call('DELETE', `/members/${id}`)).status).toBe(404);
    expect((await audited(id)).at(-1)).toMatchObject({ action: 'member.removed', actor_id: organization.id });
  });

  it('are named by their addresses in the audit log, also when they have left', async () => {
    const { id, email } = await newMember(harness, organization, 'developer');
    interface Event {
      readonly action: string;
      readonly targetId: string | null;
      readonly targetEmail: string | null;
      readonly actor: { readonly userId: string | null; readonly email: string | null };
    }
    const events = async () => ((await owner.call('GET', '/audit')).body as { data: Event[] }).data;
    const about = (list: readonly Event[]) => list.filter(({ targetId }) => targetId === id);
    expect((await events())[0]).toMatchObject({
      action: 'member.switched',
      targetEmail: email,
      actor: { email },
    });
    await owner.call('DELETE', `/members/${id}`);
    const { user } = (await owner.call('GET', '/session')).body as { user: { id: string; email: string } };
    expect((await events())[0]!.actor).toMatchObject({ userId: user.id, email: user.email });
    // It joined without an invitation, so nobody here knows its address any longer.
    expect(about(await events()).map(({ targetEmail }) => targetEmail)).toEqual([null, null, null]);
    await harness.rows(
      `INSERT INTO invitations (id, account_id, email, role, token_hash, invited_by, expires_at, accepted_at, accepted_by)
       VALUES ('inv_' || $1, $2, $3, 'developer', decode(md5($1), 'hex'), $2, now(), now(), $1)`,
      [id, organization.id, email],
    );
    expect(new Set(about(await events()).map(({ targetEmail }) => targetEmail))).toEqual(new Set([email]));
  });

  it('can leave on their own, whatever their role', async () => {
    const { browser, id } = await newMember(harness, organization, 'billing');
    const { status, body } = await browser.call('POST', '/members/leave', { json: {} });
    expect({ status, body: body as unknown }).toMatchObject({ status: 200, body: { account: { id } } });
    expect((await audited(id)).at(-1)).toMatchObject({ action: 'member.left', actor_id: id });
    // The response contains the CSRF token of the user's own account.
    expect((await browser.call('POST', '/keys', { json: { name: 'Own' } })).status).toBe(201);
  });
});

describe('concurrent requests', () => {
  it('remove a member once; role changes either succeed or find nobody', async () => {
    const { id } = await newMember(harness, organization, 'developer');
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        index % 2 === 0
          ? owner.call('DELETE', `/members/${id}`)
          : owner.call('PATCH', `/members/${id}`, { json: { role: 'viewer' } }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    expect(statuses.filter((status) => ![200, 204, 404].includes(status))).toEqual([]);
    const actions = (await audited(id)).map((row) => (row as { action: string }).action);
    expect(actions.filter((action) => action === 'member.removed')).toHaveLength(1);
    expect(actions.filter((action) => action === 'member.role_changed').length).toBeLessThan(2);
  });
});

describe('organizations', () => {
  it('are listed for the user, and each session is in one of them', async () => {
    const { browser, id, email } = await newMember(harness, organization, 'viewer');
    const list = async (client: DashboardClient) => (await client.call('GET', '/organizations')).body;
    const there = { id: organization.id, role: 'viewer' };
    expect(await list(browser)).toMatchObject({
      data: [
        { id, name: email, role: 'owner', isCurrent: false },
        { ...there, isCurrent: true },
      ],
    });
    const second = new DashboardClient(harness);
    await second.signIn(email);
    expect(await list(second)).toMatchObject({
      data: [
        { id, isCurrent: true },
        { ...there, isCurrent: false },
      ],
    });
    expect((await browser.call('POST', `/organizations/${id}/switch`, { json: {} })).body).toMatchObject({
      account: { id },
      role: 'owner',
    });
  });
});
