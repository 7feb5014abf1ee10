import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Database } from '../../../src/infra/database/database.js';
import { QueueGauge } from '../../../src/jobs/queue/queue-gauge.js';
import { type Harness, startHarness } from '../../support/app/harness.js';

describe('the queue gauge', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness({ env: { QUEUE_MAX_PIXELS: '1000' } });
  });
  afterEach(() => void vi.restoreAllMocks());
  afterAll(() => harness?.close());

  it('is refreshed even after the clock was set back', async () => {
    const gauge = harness.app.get(QueueGauge);
    const admit = () => gauge.admit(harness.app.get(Database), 1_000);
    await admit();
    // This job is admitted but never created: only a refresh reveals the free space.
    await expect(admit()).rejects.toMatchObject({ code: 'service_unavailable' });
    const anHourAgo = Date.now() - 3_600_000;
    vi.spyOn(Date, 'now').mockReturnValue(anHourAgo);
    await vi.waitFor(admit, { timeout: 10_000, interval: 200 });
  });
});
