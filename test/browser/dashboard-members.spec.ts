import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard, PASSWORD } from '../support/browser/dashboard-browser.js';
import { inspectPage } from '../support/browser/inspect-page.js';
import { photo } from '../support/images/images.js';
import type { SharedService } from '../support/roles/shared-service.js';

const RUN_MS = 120_000;
const OWNER = `team-owner-${process.pid}@example.com`;
const GRACE = `team-grace-${process.pid}@example.com`;
const OTHER = `team-other-${process.pid}@example.com`;

describe('a team in the dashboard', { timeout: RUN_MS }, () => {
  /** The browsers of the owner and of the invited person. */
  let owner: Dashboard<SharedService>;
  let grace: Dashboard<SharedService>;
  let link: string;

  beforeAll(async () => {
    owner = await Dashboard.join();
    grace = await Dashboard.join();
    await owner.signUp(OWNER);
  });
  afterAll(async () => {
    await owner?.close();
    await grace?.close();
  });

  const pageLink = (dashboard: Dashboard<SharedService>, name: string) =>
    dashboard.page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true });
  const row = (list: string, email: string) =>
    owner.page.getByRole('list', { name: list }).getByRole('listitem').filter({ hasText: email });
  const organization = () => grace.page.getByLabel('Organization', { exact: true });

  it('has one member, who invites another with a link', async () => {
    await owner.go('Members');
    await row('Members', OWNER).getByText('Primary owner').waitFor();
    await owner.page.getByText('No pending invitations.').waitFor();
    await owner.button('Invite member').click();
    const dialog = owner.page.getByRole('dialog');
    await dialog.getByLabel('Email address').fill(GRACE);
    await dialog.getByLabel('Role').selectOption({ label: 'Viewer' });
    await inspectPage(owner.page, 'members-invite');
    await dialog.getByRole('button', { name: 'Create invitation' }).click();
    link = (await dialog.getByTestId('invitation-link').textContent())!;
    expect(link).toMatch(/\/invitation#[\w-]{43}$/);
    await inspectPage(owner.page, 'members-link');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await row('Pending invitations', GRACE).getByText(`Invited by ${OWNER}`).waitFor();
    expect(owner.faults).toEqual([]);
  });

  it('can replace a lost link, and the old one shows that it was revoked', async () => {
    await owner.button(`New link for ${GRACE}`).click();
    const dialog = owner.page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create new link' }).click();
    const next = (await dialog.getByTestId('invitation-link').textContent())!;
    expect(next).not.toBe(link);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => row('Pending invitations', GRACE).count()).toBe(1);
    await grace.page.goto(link);
    await grace.page.getByText('Invitation revoked').waitFor();
    await inspectPage(grace.page, 'invitation-revoked');
    await grace.page.goto('about:blank');
    await grace.page.goto(next.slice(0, -1));
    await grace.page.getByText('It is incomplete, or the organization was deleted.').waitFor();
    await inspectPage(grace.page, 'invitation-unknown');
    link = next;
  });

  it('can be joined by a new user after signing up', async () => {
    // In the same tab, only the part of the address behind `#` changes, and the page is not loaded again.
    await grace.page.goto(link);
    await grace.page.getByText(GRACE).waitFor();
    await inspectPage(grace.page, 'invitation-signed-out');
    await grace.page.getByRole('link', { name: 'Create an account' }).click();
    await expect.poll(() => grace.page.getByLabel('Email address').inputValue()).toBe(GRACE);
    await grace.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await grace.button('Create account').click();
    await grace.button(`Join ${OWNER}`).waitFor();
    await inspectPage(grace.page, 'invitation-signed-in');
    await grace.button(`Join ${OWNER}`).click();
    await grace.heading('Results').waitFor();
    expect(
      await organization().evaluate((select: HTMLSelectElement) => select.selectedOptions[0]!.text),
    ).toBe(`${OWNER} (Viewer)`);
    await owner.page.reload();
    await row('Members', GRACE).waitFor();
    expect(await row('Pending invitations', GRACE).count()).toBe(0);
    expect(grace.faults).toEqual([]);
  });

  it('lets a viewer see jobs, but change nothing', async () => {
    const url = await owner.upload(await photo(64, 48, 'jpeg'));
    const { id } = await owner.call<{ id: string }>('POST', '/ai/enhance', {
      sourceUrl: url,
      operation: 'auto_enhance',
    });
    await grace.go('Jobs');
    await grace.page.locator(`a[href="/jobs/${id}"]`).first().waitFor();
    await grace.page.getByText(/^You are Viewer in/).waitFor();
    for (const hidden of ['Playground', 'API keys', 'Webhooks', 'Activity'])
      expect(await pageLink(grace, hidden).count(), hidden).toBe(0);
    await grace.open(`/jobs/${id}`);
    await grace.page.getByRole('dialog').getByText('Details').waitFor();
    for (const hidden of ['Delete', 'Run again', 'Cancel job'])
      expect(await grace.button(hidden).count(), hidden).toBe(0);
    await grace.open('/playground');
    await grace.page.getByText(`You are Viewer in ${OWNER}`).waitFor();
    await inspectPage(grace.page, 'members-no-access');
    await expect(
      grace.call('POST', '/ai/enhance', { sourceUrl: url, operation: 'auto_enhance' }),
    ).rejects.toThrow('insufficient_role');
    await grace.go('Members');
    expect(await grace.button('Invite member').getAttribute('aria-disabled')).toBe('true');
    await grace.button('Invite member').hover();
    await grace.page.getByRole('tooltip').filter({ hasText: 'Only owners and admins' }).waitFor();
    await grace.page.mouse.move(0, 0);
    await inspectPage(grace.page, 'members-viewer');
    expect(grace.faults).toEqual([]);
  });

  it('can be switched for another one, in every page and open tab', async () => {
    await grace.go('Jobs');
    await expect.poll(() => grace.page.locator('a[href^="/jobs/job_"]').count()).toBeGreaterThan(0);
    const tab = await grace.page.context().newPage();
    await tab.goto(`${grace.service.baseUrl}/jobs`);
    await tab.locator('a[href^="/jobs/job_"]').first().waitFor();
    const before = grace.page.url();
    await organization().focus();
    // Chooses only. Switching reloads every tab, so it needs the button.
    await grace.page.keyboard.press('ArrowUp');
    await grace.button('Switch organization').waitFor();
    expect(grace.page.url()).toBe(before);
    await organization().selectOption({ label: 'Your own account' });
    await grace.button('Switch organization').click();
    await grace.heading('Playground').waitFor();
    await tab.getByRole('heading', { name: 'No jobs yet' }).waitFor();
    await tab.close();
    await grace.go('Jobs');
    await grace.page.getByRole('heading', { name: 'No jobs yet' }).waitFor();
    await organization().selectOption({ label: `${OWNER} (Viewer)` });
    await grace.button('Switch organization').click();
    await grace.heading('Results').waitFor();
    await grace.go('Jobs');
    await expect.poll(() => grace.page.locator('a[href^="/jobs/job_"]').count()).toBeGreaterThan(0);
    expect(grace.faults).toEqual([]);
  });

  it('can change a role, which takes effect without signing in again', async () => {
    const role = row('Members', GRACE).getByLabel(`Role of ${GRACE}`, { exact: true });
    await role.focus();
    await owner.page.keyboard.press('ArrowUp');
    await owner.page.reload();
    // Choosing alone changes nothing.
    await expect.poll(() => role.inputValue()).toBe('viewer');
    await role.selectOption({ label: 'Developer' });
    await inspectPage(owner.page, 'members-role');
    await owner.button(`Change role of ${GRACE}`).click();
    await owner.button(`Change role of ${GRACE}`).waitFor({ state: 'detached' });
    expect(await role.inputValue()).toBe('developer');
    await inspectPage(owner.page, 'members');
    await grace.page.reload();
    await pageLink(grace, 'API keys').waitFor();
    await grace.call('POST', '/keys', { name: 'By Grace' }).catch((error: unknown) => {
      // The plan allows only one key; the role is not the reason for the refusal.
      expect(String(error)).toContain('key_limit_reached');
    });
    await grace.page.getByLabel('Organization', { exact: true }).waitFor();
  });

  it('hides webhooks and changes of keys in the account of an operator, and says why', async () => {
    const setOperator = (since: string) =>
      owner.service.database.rows(`UPDATE accounts SET operator_since = ${since} WHERE email = $1`, [OWNER]);
    await setOperator('now()');
    await grace.page.reload();
    await expect.poll(() => pageLink(grace, 'Webhooks').count()).toBe(0);
    await grace.go('API keys');
    await grace.page.getByText('Only operators can create and change its API keys.').waitFor();
    for (const hidden of ['Create key', 'Create your first key', 'Revoke By Grace'])
      expect(await grace.button(hidden).count(), hidden).toBe(0);
    await inspectPage(grace.page, 'members-operator-keys');
    await grace.open('/webhooks');
    await grace.page.getByText('Its webhooks can report on all customers.').waitFor();
    await inspectPage(grace.page, 'members-operator-webhooks');
    await setOperator('NULL');
    await grace.open('/keys');
    await grace.button('Create key').waitFor();
    expect(grace.faults).toEqual([]);
  });

  it('can be created as an empty organization, and deleted', async () => {
    await grace.button('New organization').click();
    const dialog = grace.page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Grace & Co.');
    await inspectPage(grace.page, 'organization-create');
    await dialog.getByRole('button', { name: 'Create organization' }).click();
    await grace.page.getByText('People with access to Grace & Co.').waitFor();
    await grace.page.getByText('Primary owner').waitFor();
    await grace.go('Jobs');
    await grace.page.getByRole('heading', { name: 'No jobs yet' }).waitFor();
    await grace.go('Account');
    await inspectPage(grace.page, 'organization-account');
    await grace.button('Delete organization…').click();
    await dialog.getByLabel('Type its name to confirm').fill('Grace & Co.');
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Delete organization' }).click();
    await grace.heading('Playground').waitFor();
    // The page reloads; a click before that would be lost.
    const loaded = grace.page.waitForEvent('load');
    await organization().selectOption({ label: `${OWNER} (Developer)` });
    await grace.button('Switch organization').click();
    await loaded;
    await expect
      .poll(() => organization().evaluate((select: HTMLSelectElement) => select.selectedOptions[0]!.text))
      .toBe(`${OWNER} (Developer)`);
    await grace.heading('Playground').waitFor();
    expect(grace.faults).toEqual([]);
  });

  it('can remove a member, who loses access at once, even in an open page', async () => {
    await grace.go('Jobs');
    await expect.poll(() => grace.page.locator('a[href^="/jobs/job_"]').count()).toBeGreaterThan(0);
    await owner.button(`Remove ${GRACE}`).click();
    await owner.page.getByRole('dialog').getByRole('button', { name: 'Remove member' }).click();
    await expect.poll(() => row('Members', GRACE).count()).toBe(0);
    const { account } = await grace.call<{ account: { email: string } }>('GET', '/session');
    expect(account.email).toBe(GRACE);
    // The event stream ends, then the page reads the session and reloads.
    await grace.page.getByRole('heading', { name: 'No jobs yet' }).waitFor({ timeout: 60_000 });
    expect(await organization().count()).toBe(0);
    await grace.page.goto('about:blank');
    await grace.page.goto(link);
    await grace.page.getByText('Invitation already used').waitFor();
    expect(grace.faults).toEqual([]);
  });

  it('tells another user who the invitation is for', async () => {
    await owner.button('Invite member').click();
    const dialog = owner.page.getByRole('dialog');
    await dialog.getByLabel('Email address').fill(OTHER);
    await dialog.getByRole('button', { name: 'Create invitation' }).click();
    const other = (await dialog.getByTestId('invitation-link').textContent())!;
    await dialog.getByRole('button', { name: 'Done' }).click();
    await grace.page.goto('about:blank');
    await grace.page.goto(other);
    await grace.page.getByText(`This invitation is for ${OTHER}`).waitFor();
    await inspectPage(grace.page, 'invitation-other-user');
    await grace.button('Sign out').click();
    await grace.page.getByRole('link', { name: 'Create an account' }).waitFor();
    await owner.button(`Revoke the invitation of ${OTHER}`).click();
    await dialog.getByRole('button', { name: 'Revoke invitation' }).click();
    await expect.poll(() => row('Pending invitations', OTHER).count()).toBe(0);
    expect([...owner.faults, ...grace.faults]).toEqual([]);
  });

  it('names the members in its activity, also those who have left', async () => {
    await owner.go('Activity');
    const event = (title: string) =>
      owner.page.getByRole('list', { name: 'Activity' }).getByRole('listitem').filter({ hasText: title });
    await event('Member removed').getByText(GRACE).waitFor();
    await event('Member added').getByText(`${GRACE} · Viewer`).waitFor();
    await event('Invitation revoked').getByText(`${OTHER} · Developer`).waitFor();
    await event('Member removed').getByText(`${OWNER}, 127.0.0.1`).waitFor();
    expect(await owner.page.getByText(/(?:acc|inv)_[0-9a-f]{32}/).count()).toBe(0);
    expect(owner.faults).toEqual([]);
  });
});
