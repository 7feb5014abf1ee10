import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JobDto } from '../../../src/common/resources/job.dto.js';
import { type Harness, startHarness } from '../../support/app/harness.js';

const DAY_SECONDS = 86_400;

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ env: { RETENTION_RESULT_DAYS: 'free=2,business=60' } });
});
afterAll(() => harness.close());

it.each([
  ['free', 2],
  ['personal', 30],
  ['business', 60],
] as const)('keeps results of %s for %i days, and refuses to keep them longer', async (plan, days) => {
  const account = await harness.createAccount({ plan });
  const { url: sourceUrl } = await harness.newSource(account);
  const order = { sourceUrl, operation: 'upscale' };
  const longest = days * DAY_SECONDS;
  for (const expiresIn of [longest, undefined]) {
    const { id } = (await harness.createJob(account.key, { ...order, expiresIn })).body as JobDto;
    const lease = await harness.jobs.claim(id);
    await harness.jobs.completeLease(lease, Buffer.from('pixels'), 30 * DAY_SECONDS, 60 * DAY_SECONDS);
    const { body } = await harness.call('GET', `/api/ai/enhance/${id}`, { key: account.key });
    const { completedAt, result } = body as JobDto;
    expect(Date.parse(result!.expiresAt) - Date.parse(completedAt!)).toBe(longest * 1_000);
  }
  const refused = await harness.createJob(account.key, { ...order, expiresIn: longest + 1 });
  expect(refused.body).toMatchObject({ status: 400, errors: [{ field: 'expiresIn', code: 'max' }] });
  const batch = { sourceUrls: [sourceUrl], operation: 'upscale', expiresIn: longest + 1 };
  expect((await harness.createBatch(account.key, batch)).body).toMatchObject({
    errors: [{ field: 'expiresIn', code: 'max' }],
  });
});
