import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard } from '../../support/browser/dashboard-browser.js';
import { adminAnswer } from '../../support/roles/admin-command.js';
import type { SharedService } from '../../support/roles/shared-service.js';

const RUN_MS = 180_000;
const OPERATOR = 'console-sign-in-as@example.com';
const CUSTOMER = 'grace@console-sign-in-as.example';

describe('an operator who signs in as a customer', () => {
  let dashboard: Dashboard<SharedService>;
  let customerId: string;
  beforeAll(async () => {
    dashboard = await Dashboard.join();
    await dashboard.signUp(CUSTOMER);
    ({ id: customerId } = (await dashboard.call<{ account: { id: string } }>('GET', '/session')).account);
    await dashboard.signUpOperator(OPERATOR);
  });
  afterAll(async () => {
    await dashboard?.close();
  });

  it('sees a banner on every page and cannot change anything', { timeout: RUN_MS }, async () => {
    const { page } = dashboard;
    await dashboard.open(`/operator/accounts/${customerId}`);
    await dashboard.button('Sign in as…').click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Sign in' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Reason').fill('Ticket 4711');
    await dashboard.inspect('operator-sign-in-as');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    const banner = page.getByRole('complementary', { name: 'Signed in as a customer' });
    await banner.getByText(CUSTOMER).waitFor();
    for (const name of ['Photos', 'Account', 'Activity']) {
      await dashboard.go(name);
      await banner.getByText(CUSTOMER).waitFor();
    }
    await page.getByText('An operator signed in as this account (read-only)').waitFor();
    await dashboard.go('Account');
    await page.getByRole('heading', { name: "Where you're signed in" }).waitFor();
    expect(await page.getByRole('link', { name: 'Security settings' }).count()).toBe(0);
    await dashboard.open('/account/security');
    await page.getByText('How a customer signs in is shown only to the customer.').waitFor();
    await banner.getByText(CUSTOMER).waitFor();
    await dashboard.inspect('operator-impersonation');
    await expect(dashboard.call('POST', '/keys', { name: 'Stray' })).rejects.toThrow('read_only_session');
  });

  it('can leave with one click', { timeout: RUN_MS }, async () => {
    const { page } = dashboard;
    await page
      .getByRole('complementary', { name: 'Signed in as a customer' })
      .getByRole('button', { name: 'End' })
      .click();
    await page.waitForURL(`**/operator/accounts/${customerId}`);
    await dashboard.heading(CUSTOMER).waitFor();
    expect(await page.getByRole('complementary', { name: 'Signed in as a customer' }).count()).toBe(0);
    const events = await dashboard.service.database.rows(
      `SELECT action FROM audit_events WHERE account_id = $1 AND actor_kind = 'operator' ORDER BY id`,
      [customerId],
    );
    expect(events).toEqual([{ action: 'impersonation.started' }, { action: 'impersonation.ended' }]);
    expect(dashboard.faults).toEqual([]);
  });

  it('can also use a link from the command line, once', { timeout: RUN_MS }, async () => {
    const { page } = dashboard;
    const words = ['account', 'sign-in-as', CUSTOMER, '--reason', 'Ticket 4712'];
    const { link } = (await adminAnswer(dashboard.service.databaseUrl, ...words)) as { link: string };
    const path = `/operator/sign-in-as#${link.split('#')[1]!}`;
    await dashboard.open(path);
    await dashboard.heading('Sign in as a customer').waitFor();
    await dashboard.inspect('operator-sign-in-by-link');
    await dashboard.button('Sign in').click();
    const banner = page.getByRole('complementary', { name: 'Signed in as a customer' });
    await banner.getByText(CUSTOMER).waitFor();
    await banner.getByRole('button', { name: 'End' }).click();
    await dashboard.heading(CUSTOMER).waitFor();
    await dashboard.open(path);
    await dashboard.button('Sign in').click();
    await page.getByText("This link doesn't work").waitFor();
    await dashboard.inspect('operator-sign-in-by-dead-link');
    // Another link in the same tab changes only the part of the address behind `#`.
    await dashboard.open(`${path.split('#')[0]}#another`);
    await dashboard.button('Sign in').waitFor();
    expect(await banner.count()).toBe(0);
  });
});
