import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { twoFactorContext } from '../../../src/auth/two-factor/two-factor-context.js';
import { countSealed, resealAll } from '../../../src/cli/secrets/reseal.js';
import { Database } from '../../../src/infra/database/database.js';
import { SecretBox } from '../../../src/infra/sealing/secret-box.js';
import { AuthenticatorApp } from '../../support/sign-in/authenticator-app.js';
import { type Harness, startHarness } from '../../support/app/harness.js';
import { twoFactorUser } from '../../support/sign-in/two-factor-user.js';

/** The key that the harness uses. */
const OLD_KEY = 'a sealing key that nobody but tests knows';
const NEW_KEY = 'a newer sealing key that only this test knows';

describe('a rotation of the sealing key', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.close());

  it('seals the secrets of authenticator apps with the new key', async () => {
    const [one, two] = [await twoFactorUser(harness), await twoFactorUser(harness)];
    const database = harness.app.get(Database);
    const box = new SecretBox([NEW_KEY, OLD_KEY]);
    expect(await countSealed(database, box, 2)).toEqual({ byKey: [0, 2], unreadable: 0 });
    expect(await resealAll(database, box)).toBe(2);
    expect(await countSealed(database, box, 2)).toEqual({ byKey: [2, 0], unreadable: 0 });
    for (const { id, app } of [one, two]) {
      const [row] = await harness.rows<{ sealed_secret: Buffer }>(
        'SELECT sealed_secret FROM two_factor_secrets WHERE account_id = $1',
        [id],
      );
      const secret = new SecretBox(NEW_KEY).open(row!.sealed_secret, twoFactorContext(id));
      expect(new AuthenticatorApp(secret).secret).toBe(app.secret);
    }
  });

  it('does not let a secret open in the row of another user', async () => {
    const [one, two] = [await twoFactorUser(harness), await twoFactorUser(harness)];
    const [row] = await harness.rows<{ sealed_secret: Buffer }>(
      'SELECT sealed_secret FROM two_factor_secrets WHERE account_id = $1',
      [one.id],
    );
    expect(() => new SecretBox(OLD_KEY).open(row!.sealed_secret, twoFactorContext(two.id))).toThrow(
      /does not open/,
    );
  });
});
