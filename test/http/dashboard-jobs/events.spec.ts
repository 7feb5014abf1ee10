import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import { eventually } from '../../support/roles/flow-wait.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
let browser: DashboardClient;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
  browser = new DashboardClient(harness);
  await browser.signInto(account);
});
afterAll(() => harness.close());

/** Reads a stream of events in the background. */
async function listen(path: string): Promise<{ text: () => string; status: number; close: () => void }> {
  const abort = new AbortController();
  const response = await fetch(`${harness.url}/dashboard/api${path}`, {
    headers: { cookie: browser.cookie! },
    signal: abort.signal,
  });
  let text = '';
  const read = async (): Promise<void> => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) text += chunk;
  };
  read().catch(() => undefined);
  return { text: () => text, status: response.status, close: () => abort.abort() };
}

const count = (text: string, event: string): number => text.split(`event: ${event}\n`).length - 1;

describe('GET /dashboard/api/ai/enhance/:id/events', () => {
  it('follows a job with only the session cookie', async () => {
    const { id } = await harness.newJob(account);
    const stream = await listen(`/ai/enhance/${id}/events`);
    expect(stream.status).toBe(200);
    await harness.jobs.complete(id);
    await eventually('the end of the job', () => {
      const text = stream.text();
      return text.includes('"status":"completed"') ? { found: true } : { seen: text };
    });
    stream.close();
  });
});

describe('GET /dashboard/api/events', () => {
  it('reports that jobs of the account changed, and nothing about other accounts', async () => {
    const stream = await listen('/events');
    await eventually('the first event', () =>
      count(stream.text(), 'jobs') > 0 ? { found: true } : { seen: stream.text() },
    );
    // The first notification of the listener may arrive after the first event of the page.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const before = count(stream.text(), 'jobs');
    const stranger = await harness.newJob(await harness.createAccount());
    await harness.jobs.complete(stranger.id);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(count(stream.text(), 'jobs')).toBe(before);
    const jobs = [await harness.newJob(account), await harness.newJob(account)];
    await eventually('word of the new jobs', () =>
      count(stream.text(), 'jobs') > before ? { found: true } : { seen: stream.text() },
    );
    const withJobs = count(stream.text(), 'jobs');
    for (const { id } of jobs) await harness.jobs.complete(id);
    await eventually('the next event', () =>
      count(stream.text(), 'jobs') > withJobs ? { found: true } : { seen: stream.text() },
    );
    expect(stream.text()).not.toContain('job_');
    stream.close();
  });
});
