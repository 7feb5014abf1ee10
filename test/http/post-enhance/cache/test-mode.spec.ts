import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SessionJobDto } from '../../../../src/jobs/session/session-job.dto.js';
import { TEST_PIXELS_SECONDS, testAccountOf } from '../../../../src/kernel/accounts/livemode.js';
import type { Harness } from '../../../support/app/harness.js';
import { sharedHarness } from '../../../support/app/shared-harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

/** A job in test mode that a worker has drawn. */
async function drawn(order: Record<string, unknown> = { operation: 'upscale' }) {
  const live = await harness.createAccount();
  const { key, id: keyId } = await harness.createKey(live, { livemode: false });
  const account = { id: testAccountOf(live.id), key, keyId };
  const { url: sourceUrl } = await harness.newSource(account);
  const first = await harness.newJob(account, { operation: undefined, sourceUrl, ...order });
  await harness.jobs.complete(first.id);
  const again = async (json: Record<string, unknown> = {}) => {
    const { body } = await harness.createJob(key, { sourceUrl, ...order, cache: true, ...json });
    return body as SessionJobDto;
  };
  return { key, sourceUrl, again };
}

describe('POST /api/ai/enhance for a cached result in test mode', () => {
  it('keeps the copy as long as any result of test mode', async () => {
    const { again } = await drawn();
    const hit = await again();
    expect(hit).toMatchObject({ cached: true, livemode: false, model: { name: 'test' } });
    const [kept] = await harness.rows<{ seconds: number }>(
      `SELECT extract(epoch FROM result_expires_at - completed_at)::int AS seconds FROM jobs WHERE id = $1`,
      [hit.id],
    );
    expect(kept!.seconds).toBe(TEST_PIXELS_SECONDS);
  });

  it('recognizes chains, also in batches', async () => {
    const operations = [{ operation: 'auto_enhance' }, { operation: 'upscale' }];
    const { key, sourceUrl, again } = await drawn({ operations });
    expect(await again()).toMatchObject({ cached: true });
    const batch = { sourceUrls: [sourceUrl, sourceUrl], operations, cache: true };
    const { body } = await harness.createBatch(key, batch);
    expect(body).toMatchObject({ status: 'completed', counts: { total: 2, completed: 2 } });
  });

  it('never hides the outcome that a test asks for', async () => {
    const { key, sourceUrl, again } = await drawn();
    const metadata = { test: 'processing_failed' };
    expect(await again()).toMatchObject({ cached: true });
    expect(await again({ metadata })).toMatchObject({ status: 'queued' });
    expect(await again({ metadata, dryRun: true })).not.toHaveProperty('cached');
    const batch = { sourceUrls: [sourceUrl, sourceUrl], operation: 'upscale', cache: true, metadata };
    const { body } = await harness.createBatch(key, batch);
    expect(body).toMatchObject({ counts: { total: 2, queued: 2 } });
  });
});
