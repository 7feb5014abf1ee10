import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard } from '../../support/browser/dashboard-browser.js';
import type { SharedService } from '../../support/roles/shared-service.js';

const RUN_MS = 180_000;
const OPERATOR = 'plan-requests@example.com';
const CUSTOMER = 'grace.hopper@plan-requests.example';
const NOTE = 'We enhance about 5,000 product photos a month.';

describe('a request for another plan', { timeout: RUN_MS }, () => {
  let dashboard: Dashboard<SharedService>;
  const sessions = new Map<string, Awaited<ReturnType<BrowserContext['cookies']>>>();
  beforeAll(async () => {
    dashboard = await Dashboard.join();
    const context = dashboard.page.context();
    await dashboard.signUpOperator(OPERATOR);
    sessions.set(OPERATOR, await context.cookies());
    await dashboard.signUp(CUSTOMER);
    sessions.set(CUSTOMER, await context.cookies());
  });
  afterAll(async () => {
    await dashboard?.close();
  });

  /** Resumes the session from the user's sign-up. */
  async function be(email: string): Promise<void> {
    await dashboard.page.context().clearCookies();
    await dashboard.page.context().addCookies(sessions.get(email)!);
  }

  async function ask(plan: string): Promise<void> {
    const { page } = dashboard;
    await dashboard.open('/usage');
    await dashboard.button('Request a plan…').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Plan').selectOption(plan);
    await dialog.getByLabel('Note').fill(NOTE);
    if (plan === 'business') await dashboard.inspect('plan-request-form');
    await dialog.getByRole('button', { name: 'Send request' }).click();
  }

  /** Opens the list of accounts as the operator. */
  async function openAsOperator(): Promise<void> {
    await be(OPERATOR);
    await dashboard.open('/operator/accounts');
    await dashboard.page.getByRole('heading', { name: '1 plan request' }).waitFor();
  }

  it('can be made and canceled on the usage page', async () => {
    const { page } = dashboard;
    await ask('personal');
    await page.getByText('Personal plan requested').waitFor();
    await dashboard.button('Cancel request').click();
    await page.getByText('Personal plan requested').waitFor({ state: 'hidden' });
    await ask('business');
    await page.getByText('Business plan requested').waitFor();
    await page.getByText(NOTE).waitFor();
    expect(await dashboard.button('Request a plan…').count()).toBe(0);
    await dashboard.inspect('plan-request-open');
  });

  it('can be declined by an operator with a reason for the customer', async () => {
    const { page } = dashboard;
    await openAsOperator();
    await page.getByText('Business plan instead of Free plan').waitFor();
    await dashboard.inspect('operator-plan-requests');
    await page.getByRole('button', { name: `Decline the request of ${CUSTOMER}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('We need an invoice address first.');
    await dashboard.inspect('operator-plan-decline');
    await dialog.getByRole('button', { name: 'Decline request' }).click();
    await page.getByRole('heading', { name: '1 plan request' }).waitFor({ state: 'hidden' });
    await be(CUSTOMER);
    await dashboard.open('/usage');
    await page.getByText('Your request for the Business plan was declined').waitFor();
    await page.getByText('We need an invoice address first.').waitFor();
    await expect.poll(() => dashboard.button('Request a plan…').count()).toBe(1);
    await dashboard.inspect('plan-request-declined');
  });

  it('can be approved by an operator, with limits for Enterprise', async () => {
    const { page } = dashboard;
    await ask('enterprise');
    await page.getByText('Enterprise plan requested').waitFor();
    await openAsOperator();
    await page.getByRole('button', { name: `Approve the request of ${CUSTOMER}` }).click();
    const dialog = page.getByRole('dialog');
    const approve = dialog.getByRole('button', { name: 'Approve' });
    expect(await approve.isDisabled()).toBe(true);
    await dialog.getByLabel('Enhancements per month').fill('50000');
    await dashboard.inspect('operator-plan-approve');
    await approve.click();
    await page.getByRole('heading', { name: '1 plan request' }).waitFor({ state: 'hidden' });
    await be(CUSTOMER);
    await dashboard.open('/usage');
    await page.getByRole('heading', { name: 'Enterprise plan' }).waitFor();
    await page.getByText('50,000', { exact: false }).first().waitFor();
    expect(await dashboard.button('Request a plan…').count()).toBe(0);
    expect(dashboard.faults).toEqual([]);
  });
});
