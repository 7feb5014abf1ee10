import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import type { Harness } from '../../support/app/harness.js';
import { FlowDatabase } from '../../support/database/flow-database.js';
import { startMailHarness } from '../../support/mail/mail-harness.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { NOTHING, resetByMail, waysInto } from '../../support/sign-in/prior-access.js';

let harness: Harness;
let others: FlowDatabase;
beforeAll(async () => {
  harness = await startMailHarness();
  others = new FlowDatabase(harness.databaseUrl);
});
afterAll(async () => {
  await others.close();
  await harness.close();
});

const waiting = (count: number) =>
  eventually(`${count} statements to wait for locks`, async () => {
    const blocked = await others.blocked();
    return blocked >= count ? { found: true } : { seen: blocked };
  });

/** Sends requests while a first verification holds its locks and has not ended the sessions of the user. */
async function duringReset<T>(
  { id, email }: { readonly id: string; readonly email: string },
  requests: readonly (() => Promise<T>)[],
): Promise<T[]> {
  let reset: Promise<void> | undefined;
  let answers: Promise<T>[] = [];
  await others.whileHeld('SELECT FROM sessions WHERE account_id = $1 FOR SHARE', [id], async () => {
    reset = resetByMail(harness, email);
    await waiting(1);
    answers = requests.map((request) => request());
    await waiting(1 + requests.length);
  });
  await reset;
  return Promise.all(answers);
}

const newKey = { name: 'Mine', scopes: ['image:read'] };

describe('requests that wait while a first verification removes earlier access', () => {
  it('are refused when they come from a session that it ended', async () => {
    const browser = new DashboardClient(harness);
    const person = await browser.newPerson();
    const created = await browser.call('POST', '/keys', { json: newKey });
    const { id: keyId } = created.body as { id: string };
    const accomplice = await new DashboardClient(harness).newPerson('accomplice@example.org');
    await harness.accountsOf.addMember(person.id, accomplice.id, 'viewer');
    const answers = await duringReset(person, [
      () => browser.call('POST', '/keys', { json: { ...newKey, livemode: false } }),
      () => browser.call('PATCH', `/keys/${keyId}`, { json: { name: 'Renamed' } }),
      () => browser.call('POST', `/keys/${keyId}/rotate`, { json: { overlapSeconds: 0 } }),
      () => browser.call('POST', '/invitations', { json: { email: 'friend@example.org', role: 'owner' } }),
      () => browser.call('PATCH', `/members/${accomplice.id}`, { json: { role: 'owner' } }),
      () => browser.call('POST', '/organizations', { json: { name: 'Corp' } }),
    ]);
    expect(answers.map(({ body }) => body)).toEqual(
      answers.map(() => expect.objectContaining({ status: 401, code: 'not_signed_in' })),
    );
    // The member whom an operator added.
    expect(await waysInto(harness, person.id)).toEqual({ ...NOTHING, members: 1 });
    expect(
      await harness.rows(
        `SELECT role, (SELECT count(*)::int FROM accounts WHERE owner_id = $1) AS organizations
           FROM memberships WHERE account_id = $1`,
        [person.id],
      ),
    ).toEqual([{ role: 'viewer', organizations: 0 }]);
  });

  it('are refused in an organization that the user created', async () => {
    const browser = new DashboardClient(harness);
    const person = await browser.newPerson();
    const { body } = await browser.call('POST', '/organizations', { json: { name: 'Corp' } });
    const { id: corp } = (body as { account: { id: string } }).account;
    const answers = await duringReset(person, [
      () => browser.call('POST', '/keys', { json: newKey }),
      () => browser.call('POST', '/invitations', { json: { email: 'friend@example.org', role: 'owner' } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    expect(await waysInto(harness, corp)).toEqual({ ...NOTHING, members: 1 });
  });

  it.each(['own account', 'organization'])('do not delete the %s', async (which) => {
    const browser = new DashboardClient(harness);
    const person = await browser.newPerson();
    let deleted = { id: person.id, name: person.email };
    if (which === 'organization') {
      const { body } = await browser.call('POST', '/organizations', { json: { name: 'Corp' } });
      deleted = (body as { account: typeof deleted }).account;
    }
    // A row that a deletion removes before it locks the account.
    await others.listen();
    await harness.rows(
      `INSERT INTO events (id, account_id, type, data, created_at) VALUES ('evt_' || $1, $1, 'image.uploaded', '{}', now())`,
      [deleted.id],
    );
    const json = { confirmation: deleted.name, password: PASSWORD };
    const [answer] = await duringReset(person, [() => browser.call('POST', '/account/delete', { json })]);
    expect(answer!.body).toMatchObject({ status: 401, code: 'not_signed_in' });
    expect(
      await harness.rows('SELECT a.id FROM accounts a JOIN events e ON e.account_id = a.id WHERE a.id = $1', [
        deleted.id,
      ]),
    ).toEqual([{ id: deleted.id }]);
  });

  it('are refused when they come from a member whom it removed', async () => {
    const person = await new DashboardClient(harness).newPerson();
    const browser = new DashboardClient(harness);
    const accomplice = await browser.newPerson();
    // Without an event of an operator, who would vouch for the member.
    await harness.rows(`INSERT INTO memberships (account_id, user_id, role) VALUES ($1, $2, 'admin')`, [
      person.id,
      accomplice.id,
    ]);
    const switched = await browser.call('POST', `/organizations/${person.id}/switch`, { json: {} });
    expect(switched.status, switched.text).toBe(200);
    const [answer] = await duringReset(person, [() => browser.call('POST', '/keys', { json: newKey })]);
    expect(answer!.body).toMatchObject({ status: 403, code: 'insufficient_role' });
    expect(await waysInto(harness, person.id)).toEqual(NOTHING);
  });
});
