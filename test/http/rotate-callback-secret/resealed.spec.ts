import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countSealed, resealAll } from '../../../src/cli/secrets/reseal.js';
import { Database } from '../../../src/infra/database/database.js';
import { SecretBox } from '../../../src/infra/sealing/secret-box.js';
import { type Harness, startHarness } from '../../support/app/harness.js';

/** The key that the harness uses. */
const OLD_KEY = 'a sealing key that nobody but tests knows';
const NEW_KEY = 'a newer sealing key that only this test knows';

describe('a rotation of the sealing key', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.close());

  it('seals the stored responses of both kinds of secrets with the new key', async () => {
    const { key } = await harness.createAccount();
    const paths = ['/api/webhooks/callback-secret', '/api/webhooks/endpoints'];
    const secrets = [];
    for (const path of paths) {
      const json = path.endsWith('/endpoints') ? { url: 'https://receiver.example/hook', events: ['*'] } : {};
      const headers = { 'idempotency-key': `once:${path}` };
      const { status, body } = await harness.call('POST', path, { key, json, headers });
      expect([200, 201], JSON.stringify(body)).toContain(status);
      secrets.push((body as { secret: string }).secret);
    }
    const database = harness.app.get(Database);
    const box = new SecretBox([NEW_KEY, OLD_KEY]);
    // Two endpoints and two responses.
    expect(await countSealed(database, box, 2)).toEqual({ byKey: [0, 4], unreadable: 0 });
    expect(await resealAll(database, box)).toBe(4);
    const rows = await harness.rows<{ body: { id: string; secret?: string; sealed?: string } }>(
      'SELECT body FROM idempotency_keys',
    );
    const opened = rows.map(({ body }) =>
      new SecretBox(NEW_KEY).open(Buffer.from((body.secret ?? body.sealed)!, 'base64'), body.id),
    );
    expect(opened.toSorted()).toEqual(secrets.toSorted());
  });
});
