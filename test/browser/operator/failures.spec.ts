import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard } from '../../support/browser/dashboard-browser.js';
import type { SharedService } from '../../support/roles/shared-service.js';

const RUN_MS = 180_000;
const OPERATOR = 'console-failures@example.com';

/** Failed jobs of the operator's own account: of one photo that exists and one that was deleted. */
const FAILED = `
  WITH source AS (
    INSERT INTO sources (id, account_id, object_key, format, width, height, bytes, sha256, created_at, deleted_at)
    SELECT 'src_' || lpad(to_hex(n), 32, 'd'), $1, 'sources/failures' || n, 'jpeg', 10, 10, 100, repeat('0', 64), now(),
           CASE WHEN n = 2 THEN now() END FROM generate_series(1, 2) n RETURNING id)
  INSERT INTO jobs (id, account_id, source_id, operation, level, output, metadata, status, source_pixels, period,
                    created_at, completed_at, error_code, error_message)
  SELECT 'job_' || lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n), 19, '0'),
         $1, 'src_' || lpad(to_hex(1 + n % 2), 32, 'd'), 'upscale', 'low', '{"format":"jpeg","quality":null,"background":null}', '{}',
         'failed', 100, '2026-01', now(), now(), CASE WHEN n < 3 THEN 'worker_lost' ELSE 'processing_failed' END,
         'The worker stopped while it ran this job.'
    FROM generate_series(1, 6) n, (SELECT count(*) FROM source) made`;

const ENDPOINTS = `
  INSERT INTO webhook_endpoints (id, account_id, url, events, metadata, enabled, disabled_reason, sealed_secret,
                                 previous_secrets, created_at, updated_at, first_failure_at, last_failure_at)
  SELECT 'we_' || lpad(to_hex(n), 32, 'c'), $1, 'https://receiver' || n || '.example/hook', '{*}', '{}', n = 1,
         CASE WHEN n > 1 THEN 'failing' END, '', '[]', now(), now(), now() - n * interval '3 hours', now()
    FROM generate_series(1, 2) n`;

describe('failures in the operator console', () => {
  let dashboard: Dashboard<SharedService>;
  beforeAll(async () => {
    dashboard = await Dashboard.join();
    await dashboard.signUpOperator(OPERATOR);
    const { account } = await dashboard.call<{ account: { id: string } }>('GET', '/session');
    const { database } = dashboard.service;
    await database.rows(FAILED, [account.id]);
    await database.rows(ENDPOINTS, [account.id]);
  });
  afterAll(async () => {
    await dashboard?.close();
  });

  it('groups failed jobs by reason, and reruns one', { timeout: RUN_MS }, async () => {
    const { page } = dashboard;
    await dashboard.open('/operator');
    await dashboard.consoleLink('Failed jobs').click();
    await dashboard.heading('Failed jobs').waitFor();
    await page.getByLabel('Account', { exact: true }).fill(OPERATOR);
    await page.keyboard.press('Enter');
    const rows = page.getByRole('list', { name: 'Failed jobs' }).getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(6);
    await dashboard.inspect('operator-failed-jobs');
    await page.getByRole('button', { name: 'worker_lost 2' }).click();
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByText("The photo was deleted, so it can't be run again.").first().waitFor();
    await rows
      .getByRole('button', { name: /^Run again: job_/ })
      .first()
      .click();
    await page.getByText(/^Run again as job_/).waitFor();
    await dashboard.consoleLink('Failed jobs').click();
    await expect.poll(() => page.getByLabel('Account', { exact: true }).inputValue()).toBe('');
    expect(dashboard.faults).toEqual([]);
  });

  it('lists failing endpoints, and disables and enables them', { timeout: RUN_MS }, async () => {
    const { page } = dashboard;
    await dashboard.consoleLink('Failing endpoints').click();
    await dashboard.heading('Failing endpoints').waitFor();
    await page.getByText('https://receiver1.example').waitFor();
    await page.getByText('Disabled after days of failures').waitFor();
    await dashboard.inspect('operator-endpoints');
    await page.getByRole('button', { name: 'Disable https://receiver1.example' }).click();
    await page.getByText('Disabled manually').waitFor();
    await page.getByRole('button', { name: 'Enable https://receiver2.example' }).click();
    await expect.poll(() => page.getByText('https://receiver2.example').count()).toBe(0);
    expect(dashboard.faults).toEqual([]);
  });
});
