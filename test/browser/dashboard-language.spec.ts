import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { barriersOf, colorBarriersOf } from '../support/browser/barriers.js';
import { Dashboard } from '../support/browser/dashboard-browser.js';
import { giveFiles, givenPhoto } from '../support/browser/given-files.js';
import { stillMoving } from '../support/browser/inspect-page.js';
import { signInElsewhere } from '../support/browser/sign-in-elsewhere.js';
import type { SharedService } from '../support/roles/shared-service.js';
import { photo } from '../support/images/images.js';
import { takePicture } from '../support/browser/take-picture.js';

const PAGES = {
  playground: ['/playground', 'Playground'],
  jobs: ['/jobs', 'Aufträge'],
  batches: ['/batches', 'Stapel'],
  results: ['/results', 'Ergebnisse'],
  photos: ['/photos', 'Fotos'],
  keys: ['/keys', 'API-Schlüssel'],
  usage: ['/usage', 'Nutzung'],
  webhooks: ['/webhooks', 'Webhooks'],
  models: ['/models', 'Modelle'],
  members: ['/members', 'Mitglieder'],
  activity: ['/activity', 'Aktivität'],
  account: ['/account', 'Konto'],
} as const;
/** Too long for a line on a phone, without a space to break at. */
const EMAIL = `${'deutsch.'.repeat(6)}fotograf@${'abteilung.'.repeat(4)}example.com`;
/** The longest name of a key, without a place to break. */
const LONG_NAME = 'Shop'.repeat(20);
const DESKTOP = { width: 1280, height: 900 };
/** Narrow, but with the navigation beside the page. */
const SMALL = { width: 1024, height: 900 };
const TABLET = { width: 820, height: 1180 };
const PHONE = { width: 360, height: 740 };
/** The narrowest screens, and a desktop at 400%. */
const NARROW = { width: 320, height: 740 };
/** A script that returns the buttons whose text does not fit. */
const CUT_OFF = `[...document.querySelectorAll('.mantine-Button-label')]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ textContent }) => textContent)`;
/** A script that returns the controls of the page whose center another element covers. */
const COVERED = `[...document.querySelectorAll('main :is(a, button, input, select)')].filter((control) => {
  control.scrollIntoView({ block: 'center' });
  const { left, top, width, height } = control.getBoundingClientRect();
  const seen = control.checkVisibility({ opacityProperty: true }) && document.elementFromPoint(left + width / 2, top + height / 2);
  return seen && !control.parentElement.contains(seen) && !seen.contains(control);
}).map((control) => control.getAttribute('aria-label') ?? control.textContent)`;
/** A script that returns the options of filters whose text does not fit once they are chosen. */
const CUT_OFF_OPTIONS = `[...document.querySelectorAll('search select')].flatMap((select) => {
  const { font, paddingLeft, paddingRight } = getComputedStyle(select);
  const room = select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  const context = document.createElement('canvas').getContext('2d');
  context.font = font;
  return [...select.options].map(({ text }) => text).filter((text) => context.measureText(text).width > room);
})`;

describe('the dashboard in German', () => {
  let dashboard: Dashboard<SharedService>;

  beforeAll(async () => {
    dashboard = await Dashboard.join();
    await dashboard.signUp(EMAIL);
    await dashboard.call('POST', '/keys', { name: LONG_NAME });
    await dashboard.call('POST', '/invitations', { email: 'kasse@example.com', role: 'billing' });
    const sourceUrl = await dashboard.upload(await photo(64, 48, 'jpeg'));
    await dashboard.call('POST', '/ai/enhance', { sourceUrl, operation: 'auto_enhance', level: 'low' });
    await signInElsewhere(dashboard.service.baseUrl, EMAIL);
  });
  afterAll(async () => {
    await dashboard?.close();
  });

  it('follows the choice in the menu, and remembers it', async () => {
    const { page } = dashboard;
    await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
    await page.getByRole('button', { name: 'Abmelden' }).waitFor();
    const presets = page.getByLabel('Vorlage').getByRole('option');
    await expect
      .poll(() => presets.allTextContents())
      .toEqual(['Keine', 'Porträt', 'Produkt auf Weiß', 'Alter Scan']);
    await dashboard.open('/jobs');
    await dashboard.heading('Aufträge').waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('de');
  });

  it('works in light, dark and on a phone, without overflow', async () => {
    const { page } = dashboard;
    const jobs = () => dashboard.call<{ data: { status: string }[] }>('GET', '/ai/enhance');
    await expect.poll(async () => (await jobs()).data.map(({ status }) => status)).toEqual(['completed']);
    for (const [name, [path, title]] of Object.entries(PAGES)) {
      await page.setViewportSize(DESKTOP);
      await page.emulateMedia({ colorScheme: 'light' });
      await dashboard.open(path);
      await dashboard.heading(title).waitFor();
      await expect.poll(() => page.locator('[aria-label="Wird geladen"]').count()).toBe(0);
      // axe-core is expensive. Another theme changes only colors; the widths in between can only cut things off.
      for (const [suffix, colorScheme, viewport, barriers] of [
        ['light', 'light', DESKTOP, barriersOf],
        ['dark', 'dark', DESKTOP, colorBarriersOf],
        ['small', 'light', SMALL],
        ['tablet', 'light', TABLET],
        ['phone', 'light', PHONE, barriersOf],
        ['narrow', 'light', NARROW],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(viewport);
        expect(await stillMoving(page), `${name} ${suffix} still moves`).toEqual([]);
        await takePicture(page, `de-${name}-${suffix}`);
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect(overflow, `${name} ${suffix} scrolls sideways`).toBeLessThanOrEqual(0);
        expect(await page.evaluate(CUT_OFF), `${name} ${suffix} cuts words off`).toEqual([]);
        expect(await page.evaluate(CUT_OFF_OPTIONS), `${name} ${suffix} cuts options off`).toEqual([]);
        expect(await page.evaluate(COVERED), `${name} ${suffix} covers controls`).toEqual([]);
        if (barriers !== undefined) expect(await barriers(page), `${name} ${suffix}`).toEqual([]);
      }
    }
    expect(dashboard.faults).toEqual([]);
  });

  it('names areas with code', async () => {
    const { page } = dashboard;
    await dashboard.open('/playground');
    const code = page.getByRole('region', { name: 'curl-Code', exact: true });
    await expect.poll(() => code.textContent()).toContain('/api/ai/upload');
  });

  it('uses the forms that fit: no background, one refused file', async () => {
    const { page } = dashboard;
    await dashboard.open('/playground');
    await page.getByText('Ergebnisoptionen').click();
    const background = page.getByRole('radiogroup', { name: 'Hintergrund' });
    await expect
      .poll(() => background.locator('label').allTextContents())
      .toEqual(['Keiner', 'Farbe', 'Bild']);
    await giveFiles(page, 'drop', '[data-photo-drop]', [
      await givenPhoto('beach.jpg'),
      await givenPhoto('forest.jpg'),
      { name: 'notes.txt', type: 'text/plain', base64: 'aGk=' },
    ]);
    await page.getByText('Nicht verbesserbare Dateien: 1', { exact: true }).waitFor();
  });

  it('writes decimals with a comma', async () => {
    const { page } = dashboard;
    const sourceUrl = await dashboard.upload(await photo(64, 48, 'jpeg'));
    await dashboard.call('POST', '/ai/enhance', { sourceUrl, operation: 'smooth_skin', strength: 0.35 });
    await dashboard.open('/jobs');
    const job = page.getByRole('list', { name: 'Aufträge' }).getByRole('link').first();
    expect(await job.textContent()).toContain('Stärke 0,35');
  });

  it('calls the last day of a period its end', async () => {
    const { page, service } = dashboard;
    await service.database.rows('UPDATE accounts SET operator_since = now() WHERE email = $1', [EMAIL]);
    await dashboard.open('/operator/audit');
    await page.getByLabel('Von', { exact: true }).waitFor();
    expect(await page.getByLabel('Bis', { exact: true }).count()).toBe(1);
    await service.database.rows('UPDATE accounts SET operator_since = NULL WHERE email = $1', [EMAIL]);
  });

  it('draws the chart of the storage', async () => {
    const { page } = dashboard;
    await page.setViewportSize(DESKTOP);
    await dashboard.upload(await photo(64, 48, 'jpeg'));
    await dashboard.open('/usage');
    await page.getByRole('tab', { name: 'Speicher' }).click();
    const area = page.locator('.recharts-area-curve, .recharts-area-area').first();
    await area.waitFor({ state: 'attached' });
    expect(await area.getAttribute('d')).toMatch(/^M.+[LC]/);
  });

  it('shows errors in German', async () => {
    const { page } = dashboard;
    await page.setViewportSize(DESKTOP);
    await page.context().clearCookies();
    await dashboard.open('/sign-in');
    await page.getByLabel('E-Mail-Adresse').fill(EMAIL);
    await page.getByLabel('Passwort', { exact: true }).fill('not the password at all');
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.getByText('E-Mail-Adresse oder Passwort falsch').waitFor();
    expect(await page.getByText('Incorrect', { exact: false }).count()).toBe(0);
  });
});
