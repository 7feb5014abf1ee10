import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard } from '../../support/browser/dashboard-browser.js';
import { inspectPage } from '../../support/browser/inspect-page.js';
import { eventually } from '../../support/roles/flow-wait.js';
import type { SharedService } from '../../support/roles/shared-service.js';

const EMAIL = `pictures-${process.pid}@example.com`;
const [WIDTH, HEIGHT] = [320, 240];
const TOO_LARGE = 25_000_000;

interface JobState {
  readonly id: string;
  readonly status: string;
}

describe('the pictures of a job', () => {
  let dashboard: Dashboard<SharedService>;
  let sourceUrl: string;

  beforeAll(async () => {
    dashboard = await Dashboard.join();
    await dashboard.signUp(EMAIL);
    const file = sharp(await readFile('scripts/assets/astronaut.png')).resize(WIDTH, HEIGHT);
    sourceUrl = await dashboard.upload(await file.png().toBuffer());
  });
  afterAll(async () => {
    await dashboard?.close();
  });

  const isErased = async (id: string) => {
    const [job] = await dashboard.service.database.rows<{ at: Date | null }>(
      'SELECT result_erased_at AS at FROM jobs WHERE id = $1',
      [id],
    );
    return job!.at !== null;
  };
  /** The list and the panel of a job show the same thumbnail. */
  const shownThumbnails = (id: string) =>
    dashboard.page
      .locator(`img[src*="/files/thumb_${id}"]`)
      .evaluateAll((images) => images.filter((image) => (image as HTMLImageElement).naturalWidth > 0).length);
  const completed = async (request: object): Promise<string> => {
    const { id } = await dashboard.call<JobState>('POST', '/ai/enhance', { sourceUrl, ...request });
    await eventually('the job to end', async () => {
      const job = await dashboard.call<JobState>('GET', `/ai/enhance/${id}`);
      return { found: job.status === 'completed' ? job : undefined, seen: job };
    });
    return id;
  };

  it('are side by side in their own proportions if the result is cropped', async () => {
    const { page } = dashboard;
    const id = await completed({ operation: 'bg_remove', output: { crop: 'subject', format: 'png' } });
    await dashboard.open(`/jobs/${id}`);
    const panel = page.getByRole('dialog');
    const images = panel.getByRole('img', { name: /^(?:Before|After): / });
    await expect.poll(() => images.count()).toBe(2);
    for (const image of await images.all()) {
      const differs = () =>
        image.evaluate((element) => {
          const { naturalWidth, naturalHeight } = element as HTMLImageElement;
          const { width, height } = element.getBoundingClientRect();
          return Math.abs(width / height / (naturalWidth / naturalHeight) - 1);
        });
      await expect.poll(differs).toBeLessThan(0.02);
    }
    expect(await panel.getByRole('slider').count()).toBe(0);
    await inspectPage(page, 'job-cropped');
    expect(dashboard.faults).toEqual([]);
  });

  it('say next to the button why a result that is too large cannot be enhanced', async () => {
    const { page, service } = dashboard;
    const id = await completed({ operation: 'upscale', level: 'low' });
    await service.database.rows('UPDATE jobs SET result_bytes = $2 WHERE id = $1', [id, TOO_LARGE]);
    await dashboard.open(`/jobs/${id}`);
    const panel = page.getByRole('dialog');
    const button = panel.getByRole('button', {
      name: 'Enhance the result',
      description: /^This result is larger than 20 MB/,
    });
    await button.focus();
    await button.press('Enter');
    await panel.getByText('This result is larger than 20 MB').waitFor();
    await inspectPage(page, 'job-too-large');
    expect(new URL(page.url()).pathname).toBe(`/jobs/${id}`);
    expect(dashboard.faults).toEqual([]);
  });

  it('are under one divider if the result shows the whole photo', async () => {
    await dashboard.open(`/jobs/${await completed({ operation: 'bg_remove' })}`);
    const divider = dashboard.page.getByRole('slider', { name: 'Divider between before and after' });
    await expect.poll(() => divider.count()).toBe(1);
  });

  it('show the result alone if the photo was deleted', async () => {
    const { page } = dashboard;
    const bytes = await sharp(await readFile('scripts/assets/astronaut.png'))
      .resize(WIDTH)
      .png()
      .toBuffer();
    const deleted = await dashboard.upload(bytes);
    const id = await completed({ sourceUrl: deleted, operation: 'auto_enhance' });
    await dashboard.service.database.rows(
      'UPDATE sources SET deleted_at = now() WHERE id = (SELECT source_id FROM jobs WHERE id = $1)',
      [id],
    );
    await dashboard.open(`/jobs/${id}`);
    await page.getByText("The photo can't be shown: it may have been deleted.").waitFor();
    const result = page.getByRole('img', { name: /^Result of/ });
    await expect
      .poll(() => result.evaluate((element) => (element as HTMLImageElement).naturalWidth))
      .toBe(WIDTH);
    expect(await page.getByRole('img', { name: /^Before/ }).count()).toBe(0);
    expect(dashboard.faults).toEqual([]);
  });

  it('are not promised to be kept if the job erases its source', async () => {
    const { page } = dashboard;
    const id = await completed({ operation: 'auto_enhance', retention: 'deliver' });
    await dashboard.open(`/jobs/${id}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Delete this job?' });
    await question.getByText('the job, its result and the source photo').waitFor();
    expect(await question.getByText('source photo is kept').count()).toBe(0);
    await dashboard.open('/results');
    await page.getByRole('checkbox').first().check();
    await dashboard.button('Delete').click();
    const together = page.getByRole('dialog', { name: 'Delete 1 result?' });
    await together.getByText('Photos of results that are deleted after their download').waitFor();
    expect(await together.getByText('The photos are kept').count()).toBe(0);
    expect(dashboard.faults).toEqual([]);
  });

  it('do not erase a result that is deleted once it has been downloaded', async () => {
    const { page } = dashboard;
    const id = await completed({ operation: 'auto_enhance', retention: 'deliver' });
    await dashboard.open(`/jobs/${id}`);
    await page.getByText('This is a small preview.').waitFor();
    // A page that requests a thumbnail too early requests it again 1.5 s later, then perhaps after the download.
    await expect.poll(() => shownThumbnails(id)).toBe(2);
    await page.waitForLoadState('networkidle');
    await inspectPage(page, 'job-deliver');
    expect(await dashboard.button('Enhance the result').count()).toBe(0);
    expect(await isErased(id)).toBe(false);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download and delete' }).click(),
    ]);
    expect((await sharp(await download.path()).metadata()).width).toBe(WIDTH);
    await expect.poll(() => isErased(id)).toBe(true);

    const refused: string[] = [];
    page.on('response', (answer) => answer.status() === 410 && refused.push(answer.url()));
    await page.reload();
    await page.getByText('The result was deleted, or has expired.').waitFor();
    await dashboard.button('Run again').waitFor();
    expect(await page.getByRole('link', { name: 'Download and delete' }).count()).toBe(0);
    expect(await page.getByText('or until it is downloaded').count()).toBe(0);
    await inspectPage(page, 'job-delivered');
    expect(refused).toEqual([]);
    expect(dashboard.faults).toEqual([]);
  });
});
