import { Logger } from '@nestjs/common';
import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AttemptLimiter } from '../../../src/auth/sessions/attempt.limiter.js';
import { CredentialsRepository } from '../../../src/auth/passwords/credentials.repository.js';
import { SessionsRepository } from '../../../src/auth/sessions/sessions.repository.js';
import { PendingSignInsRepository } from '../../../src/auth/two-factor/pending-sign-ins.repository.js';
import { SignIn } from '../../../src/auth/sessions/sign-in.js';
import { Database } from '../../../src/infra/database/database.js';
import { PasswordHasher } from '../../../src/infra/passwords/password-hasher.js';
import { AppError } from '../../../src/kernel/app-error.js';
import { type Harness, startHarness } from '../../support/app/harness.js';

Logger.overrideLogger(false);

const PASSWORD = 'a cow jumped over the moon';

/** Verifies passwords, but has no capacity to hash one. */
class BusyHasher extends PasswordHasher {
  override hash(): Promise<string> {
    return Promise.reject(new AppError('service_unavailable'));
  }
}

describe('a password hash with outdated parameters', () => {
  let harness: Harness;
  beforeAll(async () => (harness = await startHarness()));
  afterAll(() => harness?.close());

  async function signIn(hasher: PasswordHasher) {
    const { app } = harness;
    const { id } = await harness.createAccount();
    const outdated = await hash(PASSWORD, { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    await harness.rows('UPDATE accounts SET password_hash = $2 WHERE id = $1', [id, outdated]);
    const [row] = await harness.rows<{ email: string }>('SELECT email FROM accounts WHERE id = $1', [id]);
    const sessions = app.get(SessionsRepository);
    const service = new SignIn(
      app.get(AttemptLimiter),
      app.get(CredentialsRepository),
      sessions,
      app.get(PendingSignInsRepository),
      hasher,
      app.get(Database),
    );
    const { token } = await service.signIn({ email: row!.email, password: PASSWORD }, '192.0.2.7');
    const [now] = await harness.rows<{ hash: string }>(
      'SELECT password_hash AS hash FROM accounts WHERE id = $1',
      [id],
    );
    return { id, token, isRenewed: now!.hash !== outdated };
  }

  it('is renewed at sign-in', async () => {
    expect((await signIn(new PasswordHasher())).isRenewed).toBe(true);
  });

  it('is renewed at a later sign-in when the hasher is busy, and the new session is kept', async () => {
    const { id, token, isRenewed } = await signIn(new BusyHasher());
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(isRenewed).toBe(false);
    expect(await harness.rows('SELECT 1 FROM sessions WHERE account_id = $1', [id])).toHaveLength(1);
  });
});
