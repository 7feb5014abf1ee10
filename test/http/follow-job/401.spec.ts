import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JobChanges } from '../../../src/jobs/updates/job-changes.js';
import { EventReader } from '../../support/app/event-reader.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await startHarness({ env: { EVENT_STREAM_SECONDS: '1' } });
  account = await harness.createAccount();
});
afterAll(() => harness.close());

describe('GET /api/ai/enhance/:id/events → 401', () => {
  it('when the key was revoked during a stream, which ends and cannot be reopened', async () => {
    const { id } = await harness.newJob(account);
    const { id: keyId, key } = await harness.createKey(account);
    const reader = await EventReader.open(harness, key, id);
    await expect.poll(() => reader.events.length).toBeGreaterThan(0);
    await harness.accountsOf.revokeKey(keyId);
    await reader.ended;
    expect(reader.events.at(-1)!.job.status).toBe('queued');
    await expect.poll(() => harness.app.get(JobChanges).watchers).toBe(0);
    const again = await EventReader.open(harness, key, id, reader.events.at(-1)!.id);
    expect(again.answer.status).toBe(401);
  });
});
