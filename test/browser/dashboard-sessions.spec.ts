import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard, PASSWORD } from '../support/browser/dashboard-browser.js';
import { inspectPage } from '../support/browser/inspect-page.js';
import { signInElsewhere } from '../support/browser/sign-in-elsewhere.js';
import type { SharedService } from '../support/roles/shared-service.js';

const EMAIL = `sessions-${process.pid}@example.com`;

describe('the sessions of a user', () => {
  let dashboard: Dashboard<SharedService>;

  beforeAll(async () => {
    dashboard = await Dashboard.join();
    await dashboard.signUp(EMAIL);
  });
  afterAll(async () => {
    await dashboard?.close();
  });

  const address = (path: string) => `${dashboard.service.baseUrl}/dashboard/api${path}`;
  const rows = () => dashboard.page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');

  const signInAgain = () => signInElsewhere(dashboard.service.baseUrl, EMAIL);

  const accountOf = async (cookie: string): Promise<unknown> => {
    const answer = await fetch(address('/session'), { headers: { cookie } });
    return ((await answer.json()) as { account: unknown }).account;
  };

  it('are listed on the account page, the current browser first', async () => {
    await signInAgain();
    await signInAgain();
    await dashboard.go('Account');
    await expect.poll(() => rows().count()).toBe(3);
    expect(await rows().first().textContent()).toMatch(/^Chrome \d+ on LinuxThis device.*last used/);
    expect(await rows().nth(1).textContent()).toMatch(/^Firefox 132 on Linux.*Sign out$/);
  });

  it('are accessible in both themes and on a phone', async () => {
    await inspectPage(dashboard.page, 'sessions');
    expect(dashboard.faults).toEqual([]);
  });

  it('can be ended one by one, or all others at once', async () => {
    const { page } = dashboard;
    const cookie = await signInAgain();
    expect(await accountOf(cookie)).toMatchObject({ email: EMAIL });
    await page.reload();
    await expect.poll(() => rows().count()).toBe(4);
    await dashboard.button('Sign out Firefox 132 on Linux').first().click();
    await expect.poll(() => rows().count()).toBe(3);
    await dashboard.button('Sign out all other sessions').click();
    await expect.poll(() => rows().count()).toBe(1);
    expect(await accountOf(cookie)).toBeNull();
    expect(await dashboard.button('Sign out all other sessions').count()).toBe(0);
    expect(dashboard.faults).toEqual([]);
  });

  it('end with a change of the password, which the list shows', async () => {
    const { page } = dashboard;
    await signInAgain();
    await page.reload();
    await expect.poll(() => rows().count()).toBe(2);
    await page.getByLabel('Current password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('New password', { exact: true }).fill('another horse and battery');
    await dashboard.button('Change password').click();
    await page.getByText('All other sessions were signed out', { exact: false }).waitFor();
    await expect.poll(() => rows().count()).toBe(1);
  });

  it('say why signing out failed', async () => {
    const { page } = dashboard;
    await page.route('**/dashboard/api/sign-out', (route) => route.abort(), { times: 1 });
    await dashboard.button('Sign out').click();
    await page.getByRole('alert').getByText("Couldn't sign out.").waitFor();
    expect(await dashboard.button('Sign out').isEnabled()).toBe(true);
  });

  it('leave nothing to the next user, in any tab', async () => {
    const { page } = dashboard;
    const stored = (of: typeof page) => of.evaluate(() => sessionStorage.getItem('playground-recipe'));
    const tab = await page.context().newPage();
    await tab.goto(`${dashboard.service.baseUrl}/playground`);
    for (const each of [page, tab])
      await each.evaluate(() => sessionStorage.setItem('playground-recipe', '{"steps":[]}'));
    await dashboard.button('Sign out').click();
    await dashboard.heading('Sign in').waitFor();
    await tab.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    expect(await stored(page)).toBeNull();
    await expect.poll(() => stored(tab)).toBeNull();
    await tab.close();
  });

  it('reload a page that the browser restores after the user has left it', async () => {
    const { page } = dashboard;
    await Promise.all([
      page.waitForEvent('load'),
      // The tests run without the back/forward cache.
      page.evaluate(() => {
        window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
      }),
    ]);
    await expect.poll(() => dashboard.heading('Sign in').count()).toBe(1);
  });
});
