import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard } from '../../support/browser/dashboard-browser.js';
import { giveFiles } from '../../support/browser/given-files.js';
import { FlowModels } from '../../support/models/flow-models.js';

const PORTRAIT = join(import.meta.dirname, '../../../scripts/assets/astronaut.png');
const RUN_MS = 180_000;
const OPERATION = 'auto_enhance';
const PATH = `/operator/models/${OPERATION}/compare`;
/** No worker has this version, so a comparison with it waits forever. */
const MISSING = 9;
/** A long version number, which the page must fit on a phone, too. */
const LONG = 20_261_126;

/** More comparisons of the operator in the states that workers leave, derived from the one that ran. */
const OTHERS = `
  INSERT INTO version_comparisons (id, account_id, operation, level, version_a, version_b, status, source_image,
                                   image_a, image_b, results, failure, created_at, ended_at)
  SELECT 'cmp_' || repeat(digit, 32), account_id, operation, made.level, version_a, b, made.status,
         source_image, image_a, CASE WHEN digit <> '2' THEN image_b END, version_comparisons.results || made.results, NULL, now() - age * interval '1 hour', now()
    FROM version_comparisons,
         (VALUES ('2', 'high', 1::int, 'completed', 3, '{"b":{"width":null,"height":null,"inferenceMs":null,"refusal":"no_subject_found"},"difference":null}'::jsonb),
                 ('3', 'low', 1, 'completed', 5, '{"difference":{"measure":"matte","percent":3.42,"psnrDb":null}}'),
                 ('4', 'low', $2, 'completed', 6, '{"b":{"width":1024,"height":1024,"inferenceMs":2,"refusal":null},"difference":null}'),
                 ('5', 'medium', $1, 'queued', 0, NULL)) AS made (digit, level, b, status, age, results)
   WHERE id = $3`;

/** A photo that both versions change. */
const dark = (): Promise<Buffer> => sharp(PORTRAIT).linear(0.3, 0).png().toBuffer();

describe('comparing two versions of a model', () => {
  let models: FlowModels;
  let dashboard: Dashboard;

  beforeAll(async () => {
    models = await FlowModels.create(OPERATION);
    // The same graphs at another strength, so the results differ.
    await models.drop(OPERATION, 2, (draft) => {
      for (const level of Object.values(draft.levels)) level['strength'] = 0.1;
    });
    dashboard = await Dashboard.start({ roles: ['api', 'worker'], env: { MODELS_DIR: models.dir } });
    // Makes the page scroll instantly.
    await dashboard.page.emulateMedia({ reducedMotion: 'reduce' });
    await dashboard.signUpOperator('comparison@example.com');
  });
  afterAll(async () => {
    await dashboard?.close();
    await models?.close();
  });

  const shown = () => dashboard.page.getByRole('region', { name: 'Versions 2 and 1' });
  const inspect = async (name: string): Promise<void> => {
    // Otherwise, a full-page picture shows the bar at the scroll position.
    await dashboard.page.evaluate('scrollTo(0, 0)');
    await dashboard.inspect(name);
  };
  /** Waits until the pictures under the divider are loaded. */
  const pictures = async (...labels: readonly string[]): Promise<void> => {
    for (const label of labels) {
      const picture = shown().getByRole('img', { name: `${label}: Auto enhance, medium` });
      await expect
        .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
        .toBeGreaterThan(0);
    }
    expect(
      await shown()
        .getByRole('img', { name: /: Auto/ })
        .count(),
    ).toBe(labels.length);
  };

  it("starts from the model's card, and requires two different versions", { timeout: RUN_MS }, async () => {
    const { page } = dashboard;
    await dashboard.open('/operator/models');
    const card = page.getByRole('region', { name: 'Auto enhance' });
    await card.getByRole('link', { name: 'Compare versions' }).click();
    await dashboard.heading('Compare versions: Auto enhance').waitFor();
    expect(await dashboard.consoleLink('Models').getAttribute('aria-current')).toBe('page');
    // The serving version, and the other one.
    expect(await page.getByLabel('Version A').inputValue()).toBe('2');
    expect(await page.getByLabel('Version B').inputValue()).toBe('1');
    expect(await dashboard.button('Choose a photo first').isDisabled()).toBe(true);
    await inspect('operator-comparison-empty');
    await dashboard.button('Use the sample photo').click();
    await page.getByRole('img', { name: 'astronaut.png' }).waitFor();
    await page.getByLabel('Version B').selectOption('2');
    await page.getByText('Choose another version than A.').waitFor();
    expect(await dashboard.button('Compare').isDisabled()).toBe(true);
    await inspect('operator-comparison-same');
    await page.getByLabel('Version B').selectOption('1');
    await expect.poll(() => dashboard.button('Compare').isEnabled()).toBe(true);
    await dashboard.button('Choose another photo').click();
    await dashboard.button('Choose a photo first').waitFor();
    expect(dashboard.faults).toEqual([]);
  });

  it('shows both results and their figures, even after a reload', { timeout: RUN_MS }, async () => {
    const { page } = dashboard;
    const photo = { name: 'dark.png', type: 'image/png', base64: (await dark()).toString('base64') };
    await giveFiles(page, 'drop', '[data-photo-drop]', [photo]);
    await page.getByRole('img', { name: 'dark.png' }).waitFor();
    await dashboard.button('Compare').click();
    await pictures('Version 2', 'Version 1');
    const figures = shown().getByRole('table', { name: 'Figures' });
    await figures.getByText('512 × 512 px').first().waitFor();
    await figures.getByText(/^\d[\d.]* m?s \(\d+\.\d\d\s×\)$/).waitFor();
    await shown()
      .getByText(/^[\d.]+% of full scale, PSNR \d\d\.\d\sdB$/)
      .waitFor();
    await inspect('operator-comparison');
    await shown().getByText('Photo and 2', { exact: true }).click();
    await pictures('Photo', 'Version 2');
    await shown().getByText('Photo and 1', { exact: true }).click();
    await pictures('Photo', 'Version 1');
    await shown().getByRole('slider', { name: 'Divider between Photo and Version 1' }).waitFor();
    const address = page.url();
    expect(address).toMatch(/\/compare\?comparison=cmp_[0-9a-f]{32}$/);
    await page.reload();
    await pictures('Version 2', 'Version 1');
    expect(page.url()).toBe(address);
    expect(dashboard.faults).toEqual([]);
  });

  it('lists earlier comparisons, and explains why one has no result', { timeout: RUN_MS }, async () => {
    const { page, service } = dashboard;
    const id = new URL(page.url()).searchParams.get('comparison')!;
    await service.database.rows(OTHERS, [MISSING, LONG, id]);
    await dashboard.open(PATH);
    const list = page.getByRole('region', { name: 'Earlier comparisons' }).getByRole('link');
    await expect.poll(() => list.count()).toBe(5);
    await list.filter({ hasText: 'Level: high' }).click();
    await shown().getByText('No subject found').first().waitFor();
    await shown().getByRole('img', { name: 'Version 2: Auto enhance, high' }).waitFor();
    await inspect('operator-comparison-refused');
    await list.filter({ hasText: '3.4% of the shape (100 − IoU)' }).click();
    await shown().getByText('less the overlap (IoU) with version 2.').waitFor();
    await list.filter({ hasText: String(LONG) }).click();
    await page.getByText("The results differ in size, so they can't be measured").waitFor();
    await inspect('operator-comparison-sizes');
    expect(dashboard.faults).toEqual([]);
  });

  it('follows a comparison that waits, runs and fails', { timeout: RUN_MS }, async () => {
    const { page, service } = dashboard;
    const set = (change: string) =>
      service.database.rows(`UPDATE version_comparisons SET ${change} WHERE version_b = $1`, [MISSING]);
    await page.getByRole('link', { name: `Versions 2 and ${MISSING}` }).click();
    await page.getByText('Waiting for a worker').waitFor();
    await inspect('operator-comparison-waiting');
    await set(`status = 'processing'`);
    await page.getByText('Running both versions').waitFor();
    await set(
      `status = 'failed', ended_at = now(), failure = 'auto_enhance/9 ended the process that ran it.'`,
    );
    await page.getByText('auto_enhance/9 ended the process that ran it.').waitFor();
    await inspect('operator-comparison-failed');
    await dashboard.open(`${PATH}?comparison=cmp_${'0'.repeat(32)}`);
    await page.getByText('There is no such comparison of yours').waitFor();
    expect(dashboard.faults).toEqual([]);
  });

  it('reports when too many wait, and reads versions from the URL', { timeout: RUN_MS }, async () => {
    const { page, service } = dashboard;
    await service.database.rows(
      `INSERT INTO version_comparisons (id, operation, level, version_a, version_b)
       SELECT 'cmp_' || lpad(n::text, 32, 'f'), 'upscale', 'low', 1, $1 FROM generate_series(1, 5) n`,
      [MISSING],
    );
    await dashboard.open(`${PATH}?a=1&b=2`);
    await page.getByLabel('Version A').waitFor();
    expect(await page.getByLabel('Version A').inputValue()).toBe('1');
    expect(await page.getByLabel('Version B').inputValue()).toBe('2');
    await dashboard.button('Use the sample photo').click();
    await dashboard.button('Compare').click();
    await page.getByText('Five comparisons of model versions are waiting or running').waitFor();
  });
});
