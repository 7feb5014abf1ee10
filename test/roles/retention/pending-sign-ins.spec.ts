import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONFIG } from '../../../src/config/tokens.js';
import { RetentionCleanup } from '../../../src/dispatcher/retention-cleanup.js';
import { Database } from '../../../src/infra/database/database.js';
import { ObjectStore } from '../../../src/infra/storage/object-store.js';
import { type Harness, startHarness } from '../../support/app/harness.js';
import { halfSignedIn, twoFactorUser } from '../../support/sign-in/two-factor-user.js';

describe('retention cleanup', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness?.close());

  it('deletes only sign-ins whose code was not entered in time', async () => {
    const { email } = await twoFactorUser(harness);
    await halfSignedIn(harness, email);
    await harness.rows(`UPDATE pending_sign_ins SET expires_at = now() - interval '1 second'`);
    await halfSignedIn(harness, email);
    await new RetentionCleanup(
      harness.app.get(Database),
      harness.app.get(ObjectStore),
      harness.app.get(CONFIG),
    ).keep();
    expect(await harness.rows('SELECT expires_at > now() AS "isOpen" FROM pending_sign_ins')).toEqual([
      { isOpen: true },
    ]);
  });
});
