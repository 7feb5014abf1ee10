import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard } from '../support/browser/dashboard-browser.js';
import type { SharedService } from '../support/roles/shared-service.js';

const RUN_MS = 120_000;
const EMAIL = 'operator-machines@example.com';

/** A worker without a process, so that the shared service keeps its own worker. */
const WORKER = `
  INSERT INTO model_workers (id, host, pid, device, operations, versions, refusals, kinds, state, traits, load, seen_at)
  VALUES ('wrk_7e4c1f', 'gpu-7', 4711, 'cuda:0', $1, '[{"operation":"upscale","version":1}]', $2, '{none}', 'draining',
          $3, $4, now() + interval '1 hour')`;
const WORKER_VALUES = [
  [{ operation: 'upscale', model: { name: 'sharp-x4', version: 2, sha256: 'ab' } }],
  [{ operation: 'upscale', version: '3', message: 'upscale/3 is refused: the file render.onnx is missing.' }],
  {
    version: '0.1.0',
    precision: 'float16',
    supervised: true,
    settings: [
      { name: 'WORKER_CONCURRENCY', value: '8', source: 'environment', isSecret: false },
      { name: 'METRICS_TOKEN', value: null, source: 'file', isSecret: true },
    ],
  },
  {
    memoryBytes: 2.5e9,
    jobs: 0,
    concurrency: 8,
    gpus: [
      { gpu: '0', name: 'NVIDIA H100', memoryUsedBytes: 2e10, memoryTotalBytes: 8e10, utilization: 0.61 },
    ],
  },
].map((value) => JSON.stringify(value));

/** A worker without a process: it has versions of an operation that no other worker has, and serves none. */
const VERSIONS_WORKER = `
  INSERT INTO model_workers (id, host, pid, device, operations, versions, refusals, available, kinds, state, seen_at)
  VALUES ('wrk_versions', 'gpu-8', 4712, 'cuda:0', '[]', '[]', '[]', $1, '{none}', 'serving', now() + interval '1 hour')`;

describe('the operator console for machines', () => {
  let dashboard: Dashboard<SharedService>;
  beforeAll(async () => {
    dashboard = await Dashboard.join();
    await dashboard.signUpOperator(EMAIL);
    await dashboard.service.database.rows(WORKER, WORKER_VALUES);
  });
  afterAll(async () => {
    await dashboard?.service.database.rows(`DELETE FROM model_workers WHERE id = 'wrk_7e4c1f'`);
    await dashboard?.close();
  });

  it('lists workers, drains and resumes one, and shows the log of another', { timeout: RUN_MS }, async () => {
    const { page } = dashboard;
    await dashboard.open('/operator/workers');
    const worker = page.getByRole('article', { name: 'gpu-7' });
    await worker.getByText('0 of 8').waitFor();
    await worker.getByText('the file render.onnx is missing').waitFor();
    await dashboard.inspect('operator-workers');
    await worker.getByRole('button', { name: 'Drain' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Drain worker' }).click();
    await worker.getByText('Drained', { exact: true }).waitFor();
    await worker.getByRole('button', { name: 'Resume' }).click();
    await worker.getByRole('button', { name: 'Drain' }).waitFor();
    await page
      .getByRole('article')
      .filter({ hasText: 'Serving' })
      .first()
      .getByRole('button', { name: 'Show log' })
      .click();
    const log = page.getByRole('dialog').getByRole('region', { name: 'Log' });
    await log.getByRole('listitem').first().waitFor();
    await dashboard.inspect('operator-worker-log');
    await page.keyboard.press('Escape');
    expect(dashboard.faults).toEqual([]);
  });

  it(
    'shows the versions of all models, and makes workers look for new ones',
    { timeout: RUN_MS },
    async () => {
      const { page } = dashboard;
      await dashboard.consoleLink('Models').click();
      const upscale = page.getByRole('region', { name: 'Upscale' });
      await upscale.getByText('Version 3').waitFor();
      await upscale.getByText('the file render.onnx is missing').waitFor();
      await upscale.getByText('Serving').first().waitFor();
      await dashboard.inspect('operator-models');
      await page.getByRole('button', { name: 'Scan for new models' }).click();
      await page
        .getByRole('status')
        .getByText(/scanning for models/)
        .waitFor();
      expect(dashboard.faults).toEqual([]);
    },
  );

  it('switches versions, rolls back, and runs a canary and a shadow', { timeout: RUN_MS }, async () => {
    const { page, service } = dashboard;
    const versions = [1, 2, 3].map((version) => ({ operation: 'colorize', version }));
    await service.database.rows(VERSIONS_WORKER, [JSON.stringify(versions)]);
    try {
      await dashboard.open('/operator/models');
      const card = page.getByRole('region', { name: 'Colorize' });
      await card.getByText('The highest valid version serves.').waitFor();
      await card.getByRole('button', { name: 'Serve version 3' }).click();
      await page.getByRole('dialog').getByText('until you choose another one').waitFor();
      await dashboard.inspect('operator-models-serve');
      await page.getByRole('dialog').getByRole('button', { name: 'Serve version 3' }).click();
      await card.getByText('Version 3 was chosen to serve.').waitFor();
      await card.getByText('Version 3 serves as soon as a worker has loaded it').waitFor();
      await dashboard.inspect('operator-models-chosen');
      await card.getByRole('button', { name: 'Roll back to version 2' }).click();
      await card.getByText('Version 2 was chosen to serve.').waitFor();
      await card.getByRole('button', { name: 'Canary with version 3' }).click();
      await page.getByLabel('Percentage of customers').fill('200');
      await page.getByText('Enter a whole number from 1 to 100.').waitFor();
      await page.getByLabel('Percentage of customers').fill('20');
      await dashboard.inspect('operator-models-canary-form');
      await page.getByRole('button', { name: 'Start canary' }).click();
      const canary = card.getByRole('region', { name: 'Canary' });
      await canary.getByText('20% of accounts get version 3').waitFor();
      await canary.getByRole('row', { name: /3 \(canary\)/ }).waitFor();
      await dashboard.inspect('operator-models-canary');
      await canary.getByRole('button', { name: 'Cancel canary' }).click();
      await canary.waitFor({ state: 'detached' });
      await card.getByRole('button', { name: 'Shadow run with version 3' }).click();
      await page.getByLabel('Percentage of jobs').fill('0');
      await page.getByText('Enter a whole number from 1 to 100.').waitFor();
      await page.getByLabel('Percentage of jobs').fill('25');
      await dashboard.inspect('operator-models-shadow-form');
      await page.getByRole('button', { name: 'Start shadow run' }).click();
      const shadow = card.getByRole('region', { name: 'Shadow run' });
      await shadow.getByText('25% of finished jobs are compared with version 3').waitFor();
      await shadow.getByText('No worker has loaded this version, so no jobs are compared.').waitFor();
      await service.database.rows(
        `UPDATE model_shadow_figures SET compared = 40, dropped = 8, failed = 2, last_failure = 'no_subject_found',
                is_matte = false, worst_percent = 3.2, squared_error = 40, serving_ms = 4000, shadow_ms = 6000
          WHERE operation = 'colorize'`,
      );
      await service.database.rows(
        `INSERT INTO model_shadow_buckets SELECT operation, since, 70, 40 FROM model_shadow_figures
          WHERE operation = 'colorize'`,
      );
      await service.database.rows(
        `INSERT INTO model_shadow_runs SELECT 'wrk_killed', operation, since FROM model_shadow_figures
          WHERE operation = 'colorize'`,
      );
      await page.reload();
      await shadow.getByText('1.50 ×').waitFor();
      await shadow.getByText('48.1 dB').waitFor();
      await shadow.getByText('3.2%').waitFor();
      await shadow.getByText('no_subject_found').waitFor();
      await shadow.getByText('1 worker ended during a run of this version').waitFor();
      await dashboard.inspect('operator-models-shadow');
      await shadow.getByRole('button', { name: 'Choose version 3' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await shadow.getByRole('button', { name: 'Stop' }).click();
      await shadow.waitFor({ state: 'detached' });
      // Simulates another operator's action: the worker lost every version.
      await service.database.rows(`UPDATE model_workers SET available = '[]' WHERE id = 'wrk_versions'`);
      await service.database.rows(`UPDATE model_workers SET refusals = $1 WHERE id = 'wrk_versions'`, [
        JSON.stringify([{ operation: 'colorize', version: '2', message: 'colorize/2 is damaged.' }]),
      ]);
      await card.getByText('Version 2 cannot serve, because a worker refuses it').waitFor();
      await card.getByRole('button', { name: 'Serve the highest' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Serve the highest' }).click();
      await card.getByText('The highest valid version serves.').waitFor();
      expect(dashboard.faults).toEqual([]);
    } finally {
      await service.database.rows(`DELETE FROM model_workers WHERE id = 'wrk_versions'`);
      await service.database.rows(`DELETE FROM model_choices WHERE operation = 'colorize'`);
    }
  });

  it('shows the audit log of all accounts, and exports filtered events', { timeout: RUN_MS }, async () => {
    const { page } = dashboard;
    await dashboard.consoleLink('Audit log').click();
    const list = page.getByRole('list', { name: 'Audit log' });
    await list.getByText('Worker drained').first().waitFor();
    await dashboard.inspect('operator-audit');
    await page.getByLabel('Account').fill(EMAIL);
    await expect.poll(() => list.getByText('Worker drained').count()).toBe(0);
    await list.getByText('Signed in').first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export CSV' }).click(),
    ]);
    const rows = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    expect(rows[0]).toMatch(/^id,createdAt,accountId,accountEmail/);
    expect(rows.length).toBeGreaterThan(1);
    for (const row of rows.slice(1)) expect(row).toContain(EMAIL);
    await page.getByLabel('Account').fill('nobody@example.com');
    await page.getByText('No account').or(page.getByText('A field is missing or invalid')).first().waitFor();
  });

  it('shows the current settings, but no secret', { timeout: RUN_MS }, async () => {
    const { page } = dashboard;
    await dashboard.open('/operator/settings');
    const list = page.getByRole('list', { name: 'Settings' });
    const key = list.getByRole('listitem').filter({ hasText: 'URL_SIGNING_KEY' });
    await key.getByText('Set', { exact: true }).waitFor();
    await dashboard.inspect('operator-settings');
    await page.getByRole('switch', { name: 'Changed only' }).click();
    await expect.poll(() => list.getByText('Default', { exact: true }).count()).toBe(0);
    await page.getByLabel('Search settings').fill('signing');
    await key.waitFor();
    await page.getByLabel('Search settings').fill('no such variable');
    await page.getByText('No settings found').waitFor();
  });
});
