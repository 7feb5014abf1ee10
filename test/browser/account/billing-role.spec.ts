import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard } from '../../support/browser/dashboard-browser.js';
import { signInElsewhere } from '../../support/browser/sign-in-elsewhere.js';
import type { SharedService } from '../../support/roles/shared-service.js';

const OWNER = `billing-owner-${process.pid}@example.com`;
const MEMBER = `billing-member-${process.pid}@example.com`;
/** Longer than the page waits before it reconnects or polls. */
const LONG_MS = 65_000;

interface Session {
  readonly csrfToken: string;
  readonly user: { readonly id: string };
  readonly account: { readonly id: string };
}

describe('a member who only manages billing', () => {
  let dashboard: Dashboard<SharedService>;
  let accountId: string;
  let memberId: string;
  /** Paths of requests that the service refused. */
  const refused: string[] = [];
  let usageRequests = 0;

  beforeAll(async () => {
    dashboard = await Dashboard.join();
    const { page } = dashboard;
    await dashboard.signUp(OWNER);
    accountId = (await dashboard.call<Session>('GET', '/session')).account.id;
    await dashboard.signUp(MEMBER);
    memberId = (await dashboard.call<Session>('GET', '/session')).user.id;
    await dashboard.service.database.rows(
      `INSERT INTO memberships (account_id, user_id, role) VALUES ($1, $2, 'billing')`,
      [accountId, memberId],
    );
    // A page of the dashboard would reload when the organization changes.
    await dashboard.open('/favicon.svg');
    await page.clock.install();
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (response.status() === 403) refused.push(pathname);
      if (pathname.endsWith('/api/usage')) usageRequests += 1;
    });
    await dashboard.call('POST', `/organizations/${accountId}/switch`, {});
  });
  afterAll(async () => {
    await dashboard?.close();
  });

  /** The owner changes the role in another browser, which ends the open streams of the member. */
  async function setRole(role: string): Promise<void> {
    const { baseUrl } = dashboard.service;
    const cookie = await signInElsewhere(baseUrl, OWNER);
    const api = `${baseUrl}/dashboard/api`;
    const { csrfToken } = (await (await fetch(`${api}/session`, { headers: { cookie } })).json()) as Session;
    const answer = await fetch(`${api}/members/${memberId}`, {
      method: 'PATCH',
      headers: { cookie, origin: baseUrl, 'x-csrf-token': csrfToken, 'content-type': 'application/json' },
      body: JSON.stringify({ role }),
    });
    expect(answer.status).toBe(200);
  }

  it('sees the usage, without requests for what the role does not include', async () => {
    const { page } = dashboard;
    await dashboard.open('/usage');
    await page.getByText('Enhancements this month').waitFor();
    await page.getByText('There are no active keys.').waitFor();
    expect(await page.getByRole('link', { name: 'Create one' }).count()).toBe(0);
    const before = usageRequests;
    await page.clock.fastForward(LONG_MS);
    await expect.poll(() => usageRequests).toBeGreaterThan(before);
    expect(refused).toEqual([]);
  });

  it('stops asking for events when the role changes while the page is open', async () => {
    const { page } = dashboard;
    await setRole('developer');
    const opened = page.waitForResponse('**/dashboard/api/events');
    await page.reload();
    await opened;
    await setRole('billing');
    await page.getByText('There are no active keys.').waitFor();
    refused.length = 0;
    const before = usageRequests;
    await page.clock.fastForward(LONG_MS);
    await expect.poll(() => usageRequests).toBeGreaterThan(before);
    expect(refused).toEqual([]);
    expect(dashboard.faults).toEqual([]);
  });
});
