import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONFIG } from '../../../src/config/tokens.js';
import { RetentionCleanup } from '../../../src/dispatcher/retention-cleanup.js';
import { Database } from '../../../src/infra/database/database.js';
import { ObjectStore } from '../../../src/infra/storage/object-store.js';
import { type Harness, startHarness } from '../../support/app/harness.js';

describe('retention cleanup', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness?.close());

  it('deletes only provider sign-ins and links that were not completed in time', async () => {
    const { id } = await harness.createAccount();
    await harness.rows(
      `INSERT INTO oidc_requests (browser_hash, state, nonce, code_verifier, next_path, expires_at)
       SELECT 'x', state, 'x', 'x', '/', now() + seconds * interval '1 second'
         FROM (VALUES ('old', -1), ('open', 900)) given (state, seconds)`,
    );
    await harness.rows(
      `INSERT INTO oidc_links (browser_hash, account_id, issuer, subject, expires_at)
       SELECT convert_to(subject, 'UTF8'), $1, 'https://id.example', subject, now() + seconds * interval '1 second'
         FROM (VALUES ('old', -1), ('open', 900)) given (subject, seconds)`,
      [id],
    );
    await new RetentionCleanup(
      harness.app.get(Database),
      harness.app.get(ObjectStore),
      harness.app.get(CONFIG),
    ).keep();
    expect(await harness.rows('SELECT state FROM oidc_requests')).toEqual([{ state: 'open' }]);
    expect(await harness.rows('SELECT subject FROM oidc_links')).toEqual([{ subject: 'open' }]);
  });
});
