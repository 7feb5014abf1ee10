import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import { type Harness, startHarness } from '../../support/app/harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ env: { MAX_PAGES_PER_ACCOUNT: '2' } });
});
afterAll(() => harness.close());

/** An open page of the dashboard. */
async function page(browser: DashboardClient): Promise<{ answer: Response; leave: () => void }> {
  const abort = new AbortController();
  const answer = await fetch(`${harness.url}/dashboard/api/events`, {
    headers: { cookie: browser.cookie! },
    signal: abort.signal,
  });
  return { answer, leave: () => abort.abort() };
}

describe('GET /dashboard/api/events → 503', () => {
  it('when an account has too many pages open, until one closes; other accounts are not affected', async () => {
    const [mine, theirs] = [new DashboardClient(harness), new DashboardClient(harness)];
    await mine.newPerson();
    await theirs.newPerson();
    const open = [await page(mine), await page(mine)];
    expect(open.map(({ answer }) => answer.status)).toEqual([200, 200]);
    const { answer } = await page(mine);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('30');
    expect(await answer.json()).toMatchObject({ code: 'service_unavailable' });
    const other = await page(theirs);
    expect(other.answer.status).toBe(200);
    open[0]!.leave();
    await expect
      .poll(async () => {
        const next = await page(mine);
        next.leave();
        return next.answer.status;
      })
      .toBe(200);
    for (const each of [open[1]!, other]) each.leave();
  });
});
