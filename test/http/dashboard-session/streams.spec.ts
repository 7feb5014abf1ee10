import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { newMember } from '../../support/app/members.js';

let harness: Harness;
/** A second API process, with streams of sessions that end at the first. */
let other: Harness;
beforeAll(async () => {
  harness = await startHarness();
  other = await harness.another();
});
afterAll(async () => {
  await other.close();
  await harness.close();
});

class Listener {
  text = '';
  hasEnded = false;

  private constructor(readonly response: Response) {
    void this.read();
  }

  static async open(at: Harness, browser: DashboardClient, path: string): Promise<Listener> {
    const headers = { cookie: browser.cookie! };
    const response = await fetch(`${at.url}/dashboard/api${path}`, { headers });
    expect(response.status).toBe(200);
    const listener = new Listener(response);
    await expect.poll(() => listener.text).toContain('event: ');
    return listener;
  }

  private async read(): Promise<void> {
    for await (const chunk of this.response.body!.pipeThrough(new TextDecoderStream())) this.text += chunk;
    this.hasEnded = true;
  }
}

async function signedIn(account: TestAccount): Promise<DashboardClient> {
  const browser = new DashboardClient(harness);
  await browser.signInto(account);
  return browser;
}

async function emailOf({ id }: TestAccount): Promise<string> {
  const [row] = await harness.rows<{ email: string }>('SELECT email FROM accounts WHERE id = $1', [id]);
  return row!.email;
}

/** Streams of both kinds at both processes. */
async function listeners(account: TestAccount, browser: DashboardClient): Promise<Listener[]> {
  const { id } = await harness.newJob(account);
  const paths = ['/events', `/ai/enhance/${id}/events`];
  const opened = [];
  for (const at of [harness, other])
    for (const path of paths) opened.push(await Listener.open(at, browser, path));
  return opened;
}

const ended = (all: readonly Listener[]): boolean[] => all.map(({ hasEnded }) => hasEnded);

/** Far less than the ten minutes after which a stream ends on its own. */
const PROMPT = { timeout: 10_000 };

describe('event streams of the dashboard end with their session in every process', () => {
  it('when the user signs out; streams of other sessions continue', async () => {
    const account = await harness.createAccount();
    const leaving = await signedIn(account);
    const staying = new DashboardClient(harness);
    await staying.signIn(await emailOf(account));
    const gone = await listeners(account, leaving);
    const kept = await listeners(account, staying);
    const stranger = await harness.createAccount();
    const strangers = await listeners(stranger, await signedIn(stranger));
    expect((await leaving.call('POST', '/sign-out')).status).toBe(204);
    await expect.poll(() => ended(gone), PROMPT).toEqual(gone.map(() => true));
    expect(ended([...kept, ...strangers])).toEqual([...kept, ...strangers].map(() => false));
  });

  it('when the password is changed', async () => {
    const account = await harness.createAccount();
    const browser = await signedIn(account);
    const streams = await listeners(account, browser);
    const json = { currentPassword: PASSWORD, newPassword: 'three blind mice in a row' };
    expect((await browser.call('POST', '/account/password', { json })).status).toBe(200);
    await expect.poll(() => ended(streams), PROMPT).toEqual(streams.map(() => true));
  });

  it('when an operator sets the password', async () => {
    const account = await harness.createAccount();
    const streams = await listeners(account, await signedIn(account));
    await harness.accountsOf.setPassword(account.id, 'no hash at all');
    await expect.poll(() => ended(streams), PROMPT).toEqual(streams.map(() => true));
  });

  it('when a member is removed, may no longer see images, or switches the organization', async () => {
    const account = await harness.createAccount();
    const [removed, demoted, demotedByOperator, switching, staying] = [
      await newMember(harness, account, 'viewer'),
      await newMember(harness, account, 'viewer'),
      await newMember(harness, account, 'viewer'),
      await newMember(harness, account, 'viewer'),
      await newMember(harness, account, 'viewer'),
    ];
    const gone: Listener[] = [];
    for (const { browser } of [removed, demoted, demotedByOperator, switching])
      gone.push(...(await listeners(account, browser)));
    const kept = await listeners(account, staying.browser);
    const owner = await signedIn(account);
    await owner.call('DELETE', `/members/${removed.id}`);
    await owner.call('PATCH', `/members/${demoted.id}`, { json: { role: 'billing' } });
    await harness.accountsOf.addMember(account.id, demotedByOperator.id, 'billing');
    await owner.call('PATCH', `/members/${staying.id}`, { json: { role: 'developer' } });
    await switching.browser.call('POST', `/organizations/${switching.id}/switch`, { json: {} });
    await expect.poll(() => ended(gone), PROMPT).toEqual(gone.map(() => true));
    expect(ended(kept)).toEqual(kept.map(() => false));
  });

  it('when the account is deleted', async () => {
    const account = await harness.createAccount();
    const browser = await signedIn(account);
    const streams = await listeners(account, browser);
    const json = { confirmation: await emailOf(account), password: PASSWORD };
    expect((await browser.call('POST', '/account/delete', { json })).status).toBe(204);
    await expect.poll(() => ended(streams), PROMPT).toEqual(streams.map(() => true));
  });

  it('when the session row is deleted manually', async () => {
    const account = await harness.createAccount();
    const streams = await listeners(account, await signedIn(account));
    await harness.rows('DELETE FROM sessions WHERE account_id = $1', [account.id]);
    await expect.poll(() => ended(streams), PROMPT).toEqual(streams.map(() => true));
  });
});
