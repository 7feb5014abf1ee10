import { describe, expect, it } from 'vitest';
import { PasswordHasher } from './password-hasher.js';

const PASSWORD = 'a cow jumped over it';

describe('PasswordHasher', () => {
  it('creates Argon2id hashes of the stated cost, each with its own salt', async () => {
    const hasher = new PasswordHasher();
    const [one, other] = await Promise.all([hasher.hash(PASSWORD), hasher.hash(PASSWORD)]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(other);
    expect(hasher.isOutdated(one)).toBe(false);
    expect(hasher.isOutdated(one.replace('m=19456', 'm=4096'))).toBe(true);
  });

  it('accepts only the right password', async () => {
    const hasher = new PasswordHasher();
    const hash = await hasher.hash(PASSWORD);
    expect(await hasher.verify(hash, PASSWORD)).toBe(true);
    expect(await hasher.verify(hash, `${PASSWORD} `)).toBe(false);
    expect(await hasher.verify(hash, '')).toBe(false);
  });

  it('without a hash refuses every password, after the same work', async () => {
    const hasher = new PasswordHasher();
    expect(await hasher.verify(null, PASSWORD)).toBe(false);
    expect(await hasher.verify(null, '')).toBe(false);
  });

  it('queues a burst up to a limit and refuses the rest, then accepts requests again', async () => {
    const hasher = new PasswordHasher();
    const hash = await hasher.hash(PASSWORD);
    await hasher.verify(null, PASSWORD);
    const storm = await Promise.allSettled(Array.from({ length: 100 }, () => hasher.verify(hash, PASSWORD)));
    const answered = storm.filter(({ status }) => status === 'fulfilled');
    expect(answered).toHaveLength(66);
    for (const refused of storm.filter((one) => one.status === 'rejected')) {
      expect(refused.reason).toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 2 });
    }
    expect(await hasher.verify(hash, PASSWORD)).toBe(true);
  });
});
