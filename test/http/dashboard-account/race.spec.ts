import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CredentialsRepository } from '../../../src/auth/passwords/credentials.repository.js';
import { SessionsRepository } from '../../../src/auth/sessions/sessions.repository.js';
import { Database } from '../../../src/infra/database/database.js';
import { PasswordHasher } from '../../../src/infra/passwords/password-hasher.js';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { type Harness, startHarness } from '../../support/app/harness.js';

const NEW_PASSWORD = 'the moon was made of cheese';

let harness: Harness;
let database: Database;
let newHash: string;
beforeAll(async () => {
  harness = await startHarness({
    env: { SIGN_UPS_PER_MINUTE: '1000', SIGN_IN_ATTEMPTS_PER_MINUTE: '1000' },
  });
  database = harness.app.get(Database);
  newHash = await new PasswordHasher().hash(NEW_PASSWORD);
});
afterAll(() => harness.close());

const hashOf = async (accountId: string): Promise<string> =>
  (await harness.app.get(CredentialsRepository).passwordHashOf(accountId))!;

const sessionsOf = (accountId: string) =>
  harness.rows('SELECT 1 FROM sessions WHERE account_id = $1', [accountId]);

/** Resolves once a query waits for a lock that another transaction holds. */
const somebodyWaits = (): Promise<unknown> =>
  eventually('somebody to wait for a lock', async () => {
    const seen = await harness.rows(
      "SELECT query FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    return { found: seen.length > 0 ? seen : undefined, seen };
  });

/** Signs in with the old password while `change` is in progress, and is answered only after it commits. */
async function signInDuring(change: 'password' | 'deletion') {
  const person = await new DashboardClient(harness).newPerson();
  const browser = new DashboardClient(harness);
  const json = { email: person.email, password: PASSWORD };
  let answer: ReturnType<DashboardClient['call']>;
  await database.transaction(async (tx) => {
    if (change === 'deletion') await tx.query('DELETE FROM accounts WHERE id = $1', [person.id]);
    else {
      const repository = harness.app.get(CredentialsRepository);
      expect(await repository.changePassword(tx, person.id, await hashOf(person.id), newHash)).toBe(true);
      await harness.app.get(SessionsRepository).endAll(tx, person.id);
    }
    answer = browser.call('POST', '/sign-in', { json });
    await somebodyWaits();
  });
  return { person, browser, answer: await answer! };
}

describe('signing in while the password changes', () => {
  it('with the old password is refused, and leaves no session', async () => {
    const { person, browser, answer } = await signInDuring('password');
    expect({ status: answer.status, body: answer.body as unknown }).toMatchObject({
      status: 401,
      body: { code: 'invalid_credentials' },
    });
    expect(browser.cookie).toBeUndefined();
    expect(await sessionsOf(person.id)).toEqual([]);
    await browser.signIn(person.email, NEW_PASSWORD);
  });

  it('is refused like a wrong password when the account is deleted meanwhile', async () => {
    const { answer } = await signInDuring('deletion');
    expect({ status: answer.status, body: answer.body as unknown }).toMatchObject({
      status: 401,
      body: { code: 'invalid_credentials' },
    });
  });

  it.each(['owner', 'operator'])('just before a change by the %s ends with that change', async (who) => {
    const here = new DashboardClient(harness);
    const person = await here.newPerson();
    const sessions = harness.app.get(SessionsRepository);
    const change =
      who === 'operator'
        ? () => harness.accountsOf.setPassword(person.id, newHash)
        : () =>
            here.call('POST', '/account/password', {
              json: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
            });
    let token: string | undefined;
    let changed: Promise<unknown>;
    await database.transaction(async (tx) => {
      token = await sessions.begin(tx, person.id, await hashOf(person.id));
      changed = change();
      await somebodyWaits();
    });
    await changed!;
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(await sessions.admit(token!)).toBeUndefined();
    expect(await sessionsOf(person.id)).toHaveLength(who === 'owner' ? 1 : 0);
  });

  it('succeeds when only the hash changes and the password stays the same', async () => {
    const person = await new DashboardClient(harness).newPerson();
    const again = await new PasswordHasher().hash(PASSWORD);
    const browser = new DashboardClient(harness);
    let answer: ReturnType<DashboardClient['call']>;
    await database.transaction(async (tx) => {
      await tx.query('UPDATE accounts SET password_hash = $2 WHERE id = $1', [person.id, again]);
      answer = browser.call('POST', '/sign-in', { json: { email: person.email, password: PASSWORD } });
      await somebodyWaits();
    });
    expect((await answer!).status).toBe(200);
    expect((await browser.call('GET', '/keys')).status).toBe(200);
  });

  it('lets one of two concurrent changes win and refuses the other', async () => {
    const [here, there] = [new DashboardClient(harness), new DashboardClient(harness)];
    const person = await here.newPerson();
    await there.signIn(person.email);
    const change = (browser: DashboardClient, newPassword: string) =>
      browser.call('POST', '/account/password', { json: { currentPassword: PASSWORD, newPassword } });
    const [a, b] = await Promise.all([change(here, NEW_PASSWORD), change(there, `${NEW_PASSWORD}!`)]);
    const isFirst = a.status === 200;
    expect((isFirst ? a : b).status).toBe(200);
    expect([401, 403]).toContain((isFirst ? b : a).status);
    const winner = isFirst ? NEW_PASSWORD : `${NEW_PASSWORD}!`;
    await new DashboardClient(harness).signIn(person.email, winner);
  });
});

describe('deleting the account', () => {
  it('is refused when the password changes meanwhile', async () => {
    const browser = new DashboardClient(harness);
    const { id, email } = await browser.newPerson();
    let answer: ReturnType<DashboardClient['call']>;
    await database.transaction(async (tx) => {
      const repository = harness.app.get(CredentialsRepository);
      expect(await repository.changePassword(tx, id, await hashOf(id), newHash)).toBe(true);
      await harness.app.get(SessionsRepository).endAll(tx, id);
      answer = browser.call('POST', '/account/delete', { json: { confirmation: email, password: PASSWORD } });
      await somebodyWaits();
    });
    expect(await answer!).toMatchObject({ status: 401, body: { code: 'not_signed_in' } });
    expect(await hashOf(id)).toBe(newHash);
  });
});

describe('changing the password', () => {
  it('is refused when the account is suspended meanwhile', async () => {
    const browser = new DashboardClient(harness);
    const { id } = await browser.newPerson();
    const before = await hashOf(id);
    let answer: ReturnType<DashboardClient['call']>;
    await database.transaction(async (tx) => {
      await tx.query('UPDATE accounts SET suspended_at = now() WHERE id = $1', [id]);
      const json = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
      answer = browser.call('POST', '/account/password', { json });
      await somebodyWaits();
    });
    expect(await answer!).toMatchObject({ status: 401, body: { code: 'not_signed_in' } });
    expect(await hashOf(id)).toBe(before);
  });
});
