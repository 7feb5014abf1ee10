import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard, PASSWORD } from '../../support/browser/dashboard-browser.js';
import { holdRequests } from '../../support/browser/hold-requests.js';
import { takePicture } from '../../support/browser/take-picture.js';
import { photo } from '../../support/images/images.js';
import type { SharedService } from '../../support/roles/shared-service.js';

/** Longer than a response takes on a busy machine. */
const LATE_MS = 300;
const SESSION = '**/dashboard/api/session';
const EMAIL = `chosen-${process.pid}@example.com`;

describe('photos that were chosen in the playground', () => {
  let dashboard: Dashboard<SharedService>;

  beforeAll(async () => {
    dashboard = await Dashboard.join();
    await dashboard.signUp(EMAIL);
  });
  afterAll(async () => {
    await dashboard?.close();
  });

  const choose = async (...names: readonly string[]) => {
    const buffer = await photo(120, 90, 'jpeg');
    const files = names.map((name) => ({ name, mimeType: 'image/jpeg', buffer }));
    await dashboard.page.getByLabel('Photo', { exact: true }).setInputFiles(files);
  };
  const visitUsage = async () => {
    await dashboard.go('Usage');
    await dashboard.go('Playground');
  };

  it('are still there after a visit of another page', async () => {
    const { page } = dashboard;
    await choose('lake.jpg');
    await page.getByRole('img', { name: 'lake.jpg' }).waitFor();
    await visitUsage();
    await page.getByRole('img', { name: 'lake.jpg' }).waitFor();
    await expect.poll(() => dashboard.button('Enhance').isEnabled()).toBe(true);
    await dashboard.button('Choose another photo').click();
    await visitUsage();
    await page.getByText('Drop photos or a folder here').waitFor();

    await choose('lake.jpg', 'fire.jpg');
    await dashboard.button('Enhance 2 photos').waitFor();
    await visitUsage();
    await dashboard.button('Enhance 2 photos').waitFor();
    await dashboard.button('Choose other photos').click();
    await visitUsage();
    await page.getByText('Drop photos or a folder here').waitFor();
  });

  it('are named after a reload, once, because their files are gone', async () => {
    const { page } = dashboard;
    const again = page.getByRole('status').getByText(/^Choose .+ again$/);
    await choose('lake.jpg');
    await page.getByRole('img', { name: 'lake.jpg' }).waitFor();
    await page.reload();
    await again.waitFor();
    expect(await again.textContent()).toBe('Choose lake.jpg again');
    await takePicture(page, 'playground-lost-choice');
    await choose('lake.jpg', 'fire.jpg');
    await dashboard.button('Enhance 2 photos').waitFor();
    await page.reload();
    await again.waitFor();
    expect(await again.textContent()).toBe('Choose your 2 photos again');
    await visitUsage();
    await page.getByText('Drop photos or a folder here').waitFor();
    expect(await again.count()).toBe(0);
  });

  it('are still there after the same user has signed in again', async () => {
    const { page } = dashboard;
    await choose('lake.jpg', 'fire.jpg');
    const upload = await holdRequests(page, '**/ai/upload', 'POST');
    await dashboard.button('Enhance 2 photos').click();
    await upload.arrived;
    // The page reads the session by itself, too, and would then open the sign-in page without the notice.
    const session = await holdRequests(page, SESSION, 'GET');
    await page.context().clearCookies();
    upload.release();
    const notice = page.getByRole('alert').filter({ hasText: 'Not signed in' });
    await notice.waitFor();
    // Next to the button, and not below the visible part of the page.
    await expect.poll(() => notice.evaluate((element) => element === document.activeElement)).toBe(true);
    const isInView = () =>
      notice.evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      });
    await expect.poll(isInView).toBe(true);
    await takePicture(page, 'playground-not-signed-in');
    await notice.getByRole('button', { name: 'Sign in' }).click();
    session.release();
    await page.getByLabel('Email address').fill(EMAIL);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dashboard.button('Sign in').click();
    await dashboard.button('Enhance 2 photos').waitFor();
  });

  it('are not shown to another user', async () => {
    const { page } = dashboard;
    const session = await holdRequests(page, SESSION, 'GET');
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Usage' }).click();
    session.release();
    await page.getByRole('link', { name: 'Create one' }).click();
    await dashboard.button('Create account').waitFor();
    await page.getByLabel('Email address').fill(`other-${EMAIL}`);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dashboard.button('Create account').click();
    await page.waitForURL(({ pathname }) => pathname !== '/sign-up');
    await dashboard.go('Playground');
    await page.getByText('Drop photos or a folder here').waitFor();
    expect(
      await page
        .getByRole('status')
        .getByText(/^Choose .+ again$/)
        .count(),
    ).toBe(0);
    expect(dashboard.faults).toEqual([]);
  });

  it('become one batch, even if the user leaves the page and the response is lost', async () => {
    const { page } = dashboard;
    await choose('lake.jpg', 'fire.jpg');
    let leave: () => void = () => undefined;
    const left = new Promise<void>((resolve) => (leave = resolve));
    let isLost = true;
    let sent = 0;
    await page.route('**/ai/batches', async (route) => {
      if (!isLost || route.request().method() !== 'POST') return route.continue();
      await route.fetch();
      sent += 1;
      await left;
      return route.abort();
    });
    await dashboard.button('Enhance 2 photos').click();
    await expect.poll(() => sent).toBe(1);
    await dashboard.go('Usage');
    leave();
    const notice = page.getByRole('alert').filter({ hasText: 'The batch may not have been created' });
    await notice.waitFor();
    await notice.getByRole('button', { name: 'Close' }).click();
    isLost = false;
    await dashboard.go('Playground');
    await dashboard.button('Enhance 2 photos').click();
    await page.waitForURL(/\/batches\/bat_/);
    const { data: batches } = await dashboard.call<{ data: readonly { id: string }[] }>('GET', '/ai/batches');
    expect(batches.map(({ id }) => id)).toEqual([new URL(page.url()).pathname.split('/').at(-1)]);
    await page.unrouteAll();
    await dashboard.go('Playground');
    await page.getByText('Drop photos or a folder here').waitFor();
  });

  it('become a batch that opens, and are forgotten, even if the page renders late', async () => {
    const { page } = dashboard;
    await choose('lake.jpg', 'fire.jpg');
    await dashboard.button('Enhance 2 photos').waitFor();
    // React schedules renders and effects with messages.
    await page.evaluate((delayMs) => {
      const { postMessage } = Object.getOwnPropertyDescriptors(MessagePort.prototype);
      MessagePort.prototype.postMessage = function (this: MessagePort, message: unknown) {
        setTimeout(() => Reflect.apply(postMessage.value!, this, [message]), delayMs);
      };
    }, LATE_MS);
    // The second response arrives when the first upload is on the page, but before the effects of that.
    let release: () => void = () => undefined;
    const shown = new Promise<void>((resolve) => (release = resolve));
    await page.exposeFunction('tellShown', release);
    await page.evaluate(() => {
      const look = () =>
        document.body.textContent.includes('Uploaded 1 of 2') && Reflect.get(window, 'tellShown')();
      new MutationObserver(look).observe(document.body, {
        subtree: true,
        childList: true,
        characterData: true,
      });
    });
    let uploads = 0;
    await page.route('**/ai/upload', async (route) => {
      uploads += 1;
      const isLast = uploads === 2;
      const response = await route.fetch();
      if (isLast) await shown;
      await route.fulfill({ response });
    });
    await dashboard.button('Enhance 2 photos').click();
    await page.waitForURL(/\/batches\/bat_/);
    expect(await page.evaluate(() => sessionStorage.getItem('playground-chosen'))).toBeNull();
    await page.unrouteAll();
    await dashboard.open('/playground');
    await page.getByText('Drop photos or a folder here').waitFor();
  });

  it('become one job, even if the user leaves or reloads the page and the response is lost', async () => {
    const { page } = dashboard;
    const jobs = async () =>
      (await dashboard.call<{ data: readonly object[] }>('GET', '/ai/enhance')).data.length;
    const finished = page.getByRole('slider', { name: 'Divider between before and after' });
    let isLost = false;
    await page.route('**/ai/enhance', async (route) => {
      // Estimates and lists have no key.
      if (!isLost || route.request().headers()['idempotency-key'] === undefined) return route.fallback();
      await route.fetch();
      return route.abort();
    });
    const loseOne = async () => {
      isLost = true;
      await dashboard.button('Enhance').click();
      await page.getByRole('alert').getByText("Can't reach the service").waitFor();
      isLost = false;
    };
    const before = await jobs();
    await choose('lake.jpg');
    await loseOne();
    await visitUsage();
    await dashboard.button('Enhance').click();
    await finished.waitFor();
    expect(await jobs()).toBe(before + 1);

    // Restored from its job, whose photo has another signature each time.
    await page.getByText('High', { exact: true }).click();
    await loseOne();
    await page.reload();
    await finished.waitFor();
    await dashboard.button('Enhance').click();
    await expect.poll(() => page.getByText('Auto enhance, high').count()).toBeGreaterThan(0);
    expect(await jobs()).toBe(before + 2);
    await page.unrouteAll();
  });
});
