import { afterAll, beforeAll, expect, it } from 'vitest';
import { AttemptLimiter } from '../../../src/auth/sessions/attempt.limiter.js';
import { type Harness, startHarness } from '../../support/app/harness.js';

const LIMIT = 2;

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ env: { SIGN_IN_ATTEMPTS_PER_MINUTE: String(LIMIT) } });
});
afterAll(() => harness.close());

it('codes that are refused because of their address do not count against the user', async () => {
  const limiter = harness.app.get(AttemptLimiter);
  const refused = { code: 'too_many_attempts' };
  for (let user = 1; user <= 5; user += 1)
    for (let attempt = 1; attempt <= LIMIT; attempt += 1)
      await limiter.countSecondFactor(`acc_${user}`, '192.0.2.1');
  for (let attempt = 1; attempt <= 2 * LIMIT; attempt += 1)
    await expect(limiter.countSecondFactor('acc_owner', '192.0.2.1')).rejects.toMatchObject(refused);
  for (let attempt = 1; attempt <= LIMIT; attempt += 1)
    await limiter.countSecondFactor('acc_owner', '192.0.2.2');
  await expect(limiter.countSecondFactor('acc_owner', '192.0.2.2')).rejects.toMatchObject(refused);
});
