import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard } from '../support/browser/dashboard-browser.js';
import { givenPhoto } from '../support/browser/given-files.js';
import { inspectPage } from '../support/browser/inspect-page.js';
import type { SharedService } from '../support/roles/shared-service.js';

const RUN_MS = 120_000;

describe('a chain of operations in the dashboard', { timeout: RUN_MS }, () => {
  let dashboard: Dashboard<SharedService>;

  beforeAll(async () => {
    dashboard = await Dashboard.join();
    await dashboard.signUp(`chain-${process.pid}@example.com`);
    const { base64 } = await givenPhoto('portrait.jpg', 120, 90);
    await dashboard.page.getByLabel('Photo', { exact: true }).setInputFiles({
      name: 'portrait.jpg',
      mimeType: 'image/jpeg',
      buffer: Buffer.from(base64, 'base64'),
    });
  });
  afterAll(async () => {
    await dashboard?.close();
  });

  const steps = () => dashboard.page.getByRole('list', { name: 'Steps' }).getByRole('listitem');
  const look = (name: string) => inspectPage(dashboard.page, name);

  it('can be built, and reordered with the keyboard', async () => {
    const { page } = dashboard;
    await page.getByText('Uses 1 of 50 enhancements left this month').waitFor();
    await dashboard.button('Add a step').click();
    await page.getByRole('radio', { name: /^Upscale/ }).check();
    await page.getByText('Low', { exact: true }).click();
    await page.getByText('Uses 2 of 50 enhancements left this month').waitFor();
    await expect.poll(() => steps().allTextContents()).toEqual(['1Auto enhancemedium', '2Upscalelow']);
    await steps()
      .nth(1)
      .getByRole('button', { name: /Upscale/ })
      .press('Alt+ArrowUp');
    await page.getByText('Upscale is now step 1 of 2').waitFor();
    await expect.poll(() => steps().allTextContents()).toEqual(['1Upscalelow', '2Auto enhancemedium']);
    await dashboard.button('Add a step').click();
    await dashboard.button('Remove step 3').click();
    await expect.poll(() => steps().count()).toBe(2);
  });

  it('has result options, and an estimate before it runs', async () => {
    const { page } = dashboard;
    await page.getByText('Result options').click();
    await page.getByLabel('Format').selectOption('webp');
    await page.getByRole('slider', { name: 'Quality' }).fill('80');
    expect(await page.getByLabel('Crop to the subject').isDisabled()).toBe(true);
    await page.getByText('WebP 80', { exact: true }).waitFor();
    await dashboard.button('Estimate time and size').click();
    await page.getByText(/^Takes about .+\. Result: WebP, 240 × 180$/).waitFor();
    await page.getByText('operations', { exact: false }).first().waitFor();
    await look('chain');
  });

  it('survives a reload', async () => {
    const { page } = dashboard;
    await page.reload();
    await expect.poll(() => steps().allTextContents()).toEqual(['1Upscalelow', '2Auto enhancemedium']);
    await page.getByText('WebP 80', { exact: true }).waitFor();
    const { base64 } = await givenPhoto('portrait.jpg', 120, 90);
    await page.getByLabel('Photo', { exact: true }).setInputFiles({
      name: 'portrait.jpg',
      mimeType: 'image/jpeg',
      buffer: Buffer.from(base64, 'base64'),
    });
  });

  it('can be saved as a preset and selected again', async () => {
    const { page } = dashboard;
    const preset = page.getByLabel('Preset');
    await dashboard.button('Save as preset').click();
    await page.getByRole('dialog').getByLabel('Name').fill('Shop photos');
    await dashboard.button('Save preset').click();
    await page.getByText('Use 1 to 63 lowercase letters', { exact: false }).waitFor();
    await page.getByRole('dialog').getByLabel('Name').fill('shop-photos');
    await dashboard.button('Save preset').click();
    await expect.poll(() => preset.inputValue()).toBe('shop-photos');
    expect(await page.getByText('Not started').count()).toBe(1);
    await preset.selectOption('product-on-white');
    await expect
      .poll(() => steps().allTextContents())
      .toEqual(['1Auto enhancelow', '2Remove backgroundhigh']);
    expect(await page.getByLabel('Crop to the subject').isChecked()).toBe(true);
    await look('preset');
    await preset.selectOption('shop-photos');
    await expect.poll(() => steps().allTextContents()).toEqual(['1Upscalelow', '2Auto enhancemedium']);
  });

  it('is replaced by the defaults when no preset is chosen', async () => {
    const { page } = dashboard;
    const preset = page.getByLabel('Preset');
    await preset.selectOption('');
    await expect.poll(() => preset.inputValue()).toBe('');
    expect(await steps().count()).toBe(0);
    expect(await page.getByRole('radio', { name: /^Auto enhance/ }).isChecked()).toBe(true);
    expect(await page.getByText('WebP 80', { exact: true }).count()).toBe(0);
    await preset.selectOption('shop-photos');
    await expect.poll(() => steps().count()).toBe(2);
  });

  it('shows the strength of a preset instead of a level, until a level is chosen', async () => {
    const { page } = dashboard;
    const preset = page.getByLabel('Preset');
    const medium = page.getByRole('radio', { name: 'Medium' });
    await preset.selectOption('old-scan');
    await page.getByText('Strength 0.4. A level replaces it.').waitFor();
    expect(
      await page.getByRole('radiogroup', { name: 'Level' }).getByRole('radio', { checked: true }).count(),
    ).toBe(0);
    await look('strength');
    await page.getByText('Medium', { exact: true }).last().click();
    await expect.poll(() => medium.isChecked()).toBe(true);
    await expect.poll(async () => (await steps().allTextContents())[0]).toBe('1Auto enhancemedium');
    await preset.selectOption('shop-photos');
    await expect.poll(() => steps().allTextContents()).toEqual(['1Upscalelow', '2Auto enhancemedium']);
  });

  it('runs, and shows every step with its time', async () => {
    const { page } = dashboard;
    await dashboard.button('Enhance').click();
    await page.getByText(/^Done in /).waitFor({ timeout: RUN_MS });
    await page.getByText('Upscale → Auto enhance', { exact: true }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /^Download/ }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('portrait-upscaled-enhanced.webp');
    await dashboard.go('Jobs');
    const row = page.getByRole('list', { name: 'Jobs' }).getByRole('link').first();
    expect(await row.textContent()).toContain('Upscale → Auto enhance2 steps · portrait.jpg');
    await row.click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('heading', { name: 'Steps' }).waitFor();
    const rows = await drawer.getByRole('listitem').allTextContents();
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatch(/^1Upscalelow · .+, version \d+[\d.<]+ m?s$/);
    await drawer.getByText('240 × 180 WebP', { exact: false }).waitFor();
    await look('chain-job');
  });

  it('causes no errors along the way', () => {
    expect(dashboard.faults).toEqual([]);
  });
});
