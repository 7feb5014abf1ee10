import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard, PASSWORD } from '../support/browser/dashboard-browser.js';
import type { SharedService } from '../support/roles/shared-service.js';

const RUN_MS = 90_000;
/** More presses of Tab than any page has tab stops. */
const MANY = 80;

/** Nothing here uses the mouse. */
describe('the dashboard with only the keyboard', () => {
  let dashboard: Dashboard<SharedService>;

  beforeAll(async () => {
    dashboard = await Dashboard.join();
  });
  afterAll(async () => {
    await dashboard?.close();
  });

  const press = (key: string) => dashboard.page.keyboard.press(key);

  /** The name of the focused element as a person would read it, without its role. */
  const focused = () =>
    dashboard.page.evaluate(() => {
      const element = document.activeElement;
      const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null;
      return (element?.getAttribute('aria-label') ?? label ?? element?.textContent ?? '').trim();
    });

  /** Presses Tab until the expected element has the focus. */
  async function tabTo(name: RegExp): Promise<void> {
    for (let count = 0; count < MANY; count += 1) {
      await press('Tab');
      if (name.test(await focused())) return;
    }
    throw new Error(`The Tab key never came to ${String(name)}; it ended at "${await focused()}"`);
  }

  /** Whether the focused element has a visible focus ring. */
  const isFocusVisible = () =>
    dashboard.page.evaluate(() => {
      const element = document.activeElement;
      if (element === null) return false;
      const own = getComputedStyle(element);
      const around = element.parentElement === null ? own : getComputedStyle(element.parentElement);
      const knob = element.querySelector('span');
      const inner = knob === null ? own : getComputedStyle(knob);
      const isDrawn = ({ outlineStyle, outlineWidth }: CSSStyleDeclaration) =>
        outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0;
      const label = element.nextElementSibling;
      const beside = label === null ? own : getComputedStyle(label);
      const isText = element.matches('input:not([type=radio]), select, textarea');
      return [own, around, inner, beside].some(isDrawn) || (isText && own.borderStyle !== 'none');
    });

  it('lets a user sign up', async () => {
    const { page } = dashboard;
    await dashboard.open('/sign-up');
    await dashboard.heading('Create an account').waitFor();
    await expect.poll(focused).toMatch(/Email address/);
    await page.keyboard.type('keys@example.com');
    await tabTo(/^Password/);
    await page.keyboard.type(PASSWORD);
    await press('Enter');
    await dashboard.heading('Playground').waitFor();
  });

  it('lets a user skip the navigation and see the focus', async () => {
    const { page } = dashboard;
    await page.reload();
    await dashboard.heading('Playground').waitFor();
    await press('Tab');
    expect(await focused()).toBe('Skip to content');
    expect(await page.getByText('Skip to content').isVisible()).toBe(true);
    await press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    await press('Tab');
    expect(await focused()).toBe('Got it');
    await press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    await press('Tab');
    expect(await focused()).toBe('Choose photos');
    for (let count = 0; count < 8; count += 1) {
      expect(await isFocusVisible(), await focused()).toBe(true);
      await press('Tab');
    }
  });

  it('enhances the sample photo and moves the divider', { timeout: RUN_MS }, async () => {
    const { page } = dashboard;
    await page.evaluate(() => document.querySelector<HTMLElement>('#main')?.focus());
    await tabTo(/^Use the sample photo$/);
    await press('Enter');
    await page.getByAltText('astronaut.png').waitFor();
    // The pressed button has disappeared.
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
    await tabTo(/^Auto enhance/);
    await press('ArrowUp');
    await press('ArrowUp');
    expect(await page.getByRole('radio', { name: /^Smooth skin/ }).isChecked()).toBe(true);
    await press('ArrowDown');
    await press('ArrowDown');
    await tabTo(/^Enhance$/);
    await press('Enter');
    await page.getByText(/^Done in /).waitFor({ timeout: RUN_MS });
    expect(await focused()).toBe('Enhance');
    await page.evaluate(() => document.querySelector<HTMLElement>('#main')?.focus());
    await tabTo(/^Divider/);
    expect(await isFocusVisible()).toBe(true);
    await press('ArrowRight');
    const divider = page.getByRole('slider', { name: /^Divider/ });
    expect(await divider.getAttribute('aria-valuenow')).toBe('52');
  });

  it('builds a chain, and keeps the focus where the pressed button disappears', async () => {
    await tabTo(/^Add a step$/);
    await press('Enter');
    await expect.poll(focused).toMatch(/^2/);
    await tabTo(/^Remove step 2$/);
    await press('Enter');
    await expect.poll(focused).toBe('Add a step');
    await press('Enter');
    await tabTo(/^Add a step$/);
    for (let count = 2; count < 6; count += 1) await press('Enter');
    await expect.poll(focused).toMatch(/^6/);
  });

  it('switches pages with two keys', async () => {
    const { page } = dashboard;
    await page.evaluate(() => document.querySelector<HTMLElement>('#main')?.focus());
    await press('g');
    await press('k');
    await dashboard.heading('API keys').waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    await press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  it('creates a key, and restores the focus', async () => {
    const { page } = dashboard;
    await tabTo(/^Create your first key$/);
    await press('Enter');
    await page.getByRole('dialog').waitFor();
    await expect.poll(focused).toBe('Name');
    await page.keyboard.type('gk by hand');
    expect(await dashboard.heading('API keys').count()).toBe(1);
    await press('Enter');
    await page.getByTestId('secret').waitFor();
    await expect.poll(focused).toBe('Copy key');
    expect(await isFocusVisible()).toBe(true);
    // The list behind the dialog, which replaces the empty state.
    await page.getByRole('article', { name: 'Key gk by hand', includeHidden: true }).waitFor();
    await tabTo(/^I've copied it$/);
    await press('Enter');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    // The button that opened the dialog disappeared with the empty state.
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
  });

  it('opens a job from the list and closes it again', async () => {
    const { page } = dashboard;
    await press('g');
    await press('j');
    await dashboard.heading('Jobs').waitFor();
    await page.getByRole('list', { name: 'Jobs' }).getByRole('link').first().waitFor();
    await tabTo(/^Auto enhance/);
    await press('Enter');
    await page.getByRole('dialog').getByText('Timings').waitFor();
    for (const button of [/^Share$/, /^Delete$/]) {
      await tabTo(button);
      await press('Enter');
      await expect.poll(() => page.getByRole('dialog').count()).toBe(2);
      await press('Escape');
      await expect.poll(() => page.getByRole('dialog').count()).toBe(1);
      await expect.poll(focused).toMatch(button);
    }
    await press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe('/jobs');
    await expect.poll(focused).toMatch(/^Auto enhance/);
  });

  it('causes no errors along the way', () => {
    expect(dashboard.faults).toEqual([]);
  });
});
