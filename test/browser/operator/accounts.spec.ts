import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard, PASSWORD } from '../../support/browser/dashboard-browser.js';
import type { SharedService } from '../../support/roles/shared-service.js';

const RUN_MS = 180_000;
const OPERATOR = 'console-accounts@example.com';
const CUSTOMER = 'ada.lovelace@console-accounts.example';

describe('accounts in the operator console', () => {
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

  /** Signs in as the customer. @returns the status */
  async function signInAs(password: string): Promise<number> {
    const answer = await fetch(`${dashboard.service.baseUrl}/dashboard/api/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ email: CUSTOMER, password }),
    });
    return answer.status;
  }

  it('finds an account by the start of its domain and opens it', { timeout: RUN_MS }, async () => {
    const { page } = dashboard;
    await dashboard.open('/operator');
    await dashboard.consoleLink('Accounts').click();
    await dashboard.heading('Accounts').waitFor();
    await page.getByRole('link', { name: OPERATOR }).waitFor();
    await dashboard.inspect('operator-accounts');
    await page.getByLabel('Search accounts').fill('console-accounts.ex');
    await expect
      .poll(() => page.getByRole('list', { name: 'Accounts' }).getByRole('listitem').count())
      .toBe(1);
    await expect.poll(() => new URL(page.url()).searchParams.get('search')).toBe('console-accounts.ex');
    await page.getByRole('link', { name: CUSTOMER }).click();
    await dashboard.heading(CUSTOMER).waitFor();
    await page.getByRole('heading', { name: 'Free plan' }).waitFor();
    await dashboard.inspect('operator-account');
  });

  it('changes the plan and its limits', { timeout: RUN_MS }, async () => {
    const { page } = dashboard;
    await dashboard.button('Change plan…').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Plan').selectOption('enterprise');
    await expect.poll(() => dialog.getByRole('button', { name: 'Change plan' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Requests per minute per key').fill('many');
    await dialog.getByText('Enter a whole number').waitFor();
    await dialog.getByLabel('Requests per minute per key').fill('1200');
    await dialog.getByLabel('Storage in GB').fill('1.5');
    await dashboard.inspect('operator-plan');
    await dialog.getByRole('button', { name: 'Change plan' }).click();
    await page.getByRole('heading', { name: 'Enterprise plan' }).waitFor();
    await page.getByText('Requests per minute per key: 1,200', { exact: false }).waitFor();
    const [row] = await dashboard.service.database.rows('SELECT plan, limits FROM accounts WHERE id = $1', [
      customerId,
    ]);
    expect(row).toEqual({ plan: 'enterprise', limits: { rpm: 1_200, storageBytes: 1.5 * 2 ** 30 } });
  });

  it('says only that no password is set, whatever the user signs in with', { timeout: RUN_MS }, async () => {
    const { page, service } = dashboard;
    await service.database.rows('UPDATE accounts SET password_hash = NULL WHERE id = $1', [customerId]);
    await page.reload();
    await expect.poll(() => page.getByText('Not set', { exact: true }).count()).toBe(1);
  });

  it('resets a password, and the temporary one works', { timeout: RUN_MS }, async () => {
    const { page } = dashboard;
    await dashboard.button('Reset password…').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset password' }).click();
    const password = await page.getByTestId('secret').innerText();
    await dashboard.inspect('operator-password');
    expect(await signInAs(PASSWORD)).toBe(401);
    expect(await signInAs(password)).toBe(200);
    await dashboard.button("I've copied it").click();
    await dashboard.button('Sign out everywhere…').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByText('1 session was ended').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  it('resets the two-factor authentication of a user', { timeout: RUN_MS }, async () => {
    const { page } = dashboard;
    const { database } = dashboard.service;
    expect(await dashboard.button('Reset two-factor…').count()).toBe(0);
    await database.rows(
      `INSERT INTO two_factor_secrets (account_id, sealed_secret, enabled_at) VALUES ($1, 'lost', now())`,
      [customerId],
    );
    await page.reload();
    await dashboard.button('Reset two-factor…').click();
    await dashboard.inspect('operator-two-factor');
    await page.getByRole('dialog').getByRole('button', { name: 'Reset two-factor' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await dashboard.button('Reset two-factor…').waitFor({ state: 'hidden' });
    expect(
      await database.rows('SELECT 1 FROM two_factor_secrets WHERE account_id = $1', [customerId]),
    ).toEqual([]);
  });

  it(
    'suspends with a reason, resumes, and deletes once the email address is typed',
    { timeout: RUN_MS },
    async () => {
      const { page } = dashboard;
      await dashboard.button('Suspend account…').click();
      const dialog = page.getByRole('dialog');
      expect(await dialog.getByRole('button', { name: 'Suspend account' }).isDisabled()).toBe(true);
      await dialog.getByLabel('Reason').fill('Unpaid invoice 4711');
      await dashboard.inspect('operator-suspend');
      await dialog.getByRole('button', { name: 'Suspend account' }).click();
      await page.getByText('Shown to the customer: Unpaid invoice 4711').waitFor();
      await dashboard.inspect('operator-suspended');
      await page.getByRole('link', { name: 'All accounts' }).click();
      await page.getByLabel('Status').selectOption('suspended');
      await page.getByRole('link', { name: CUSTOMER }).click();
      await dashboard.button('Resume account').click();
      await dashboard.button('Delete account…').click();
      const remove = dialog.getByRole('button', { name: 'Delete account' });
      expect(await remove.isDisabled()).toBe(true);
      await dialog.getByLabel('Type the email address of the account to confirm').fill(CUSTOMER);
      await dashboard.inspect('operator-delete');
      await remove.click();
      const left = () =>
        dashboard.service.database.rows('SELECT id FROM accounts WHERE id = $1', [customerId]);
      await expect.poll(left).toEqual([]);
      await page.getByLabel('Search accounts').waitFor();
      expect(dashboard.faults).toEqual([]);
    },
  );
});
