import { expect } from 'vitest';
import { DashboardClient } from './dashboard-client.js';
import type { Harness } from './harness.js';

/** A session as `GET /dashboard/api/sessions` lists it. */
export interface Device {
  readonly id: string;
  readonly isCurrent: boolean;
}

/** The sessions of the user who is signed in to this browser. */
export async function devicesOf(browser: DashboardClient): Promise<Device[]> {
  const { status, body, text } = await browser.call('GET', '/sessions');
  expect(status, text).toBe(200);
  return (body as { data: Device[] }).data;
}

/** Creates a user who is signed in with several browsers. */
export async function userBrowsers(
  harness: Harness,
  count: number,
): Promise<{ readonly id: string; readonly all: DashboardClient[] }> {
  const first = new DashboardClient(harness);
  const { id, email } = await first.signInto(await harness.createAccount());
  const all = [first];
  while (all.length < count) {
    const next = new DashboardClient(harness);
    await next.signIn(email);
    all.push(next);
  }
  return { id, all };
}
