import { describe, expect, it } from 'vitest';
import { quotaExceeded } from './quota-refusal.js';

const RESETS_AT = new Date('2026-12-01T00:00:00.000Z');

describe('quotaExceeded', () => {
  it('tells when enhancements reset, and which plan has room', () => {
    const refusal = { quota: 'enhancements', limit: 50, used: 50, resetsAt: RESETS_AT } as const;
    const error = quotaExceeded(refusal, 'free', 'https://images.example');
    expect(error.code).toBe('quota_exceeded');
    expect(error.extensions).toEqual({
      quota: 'enhancements',
      limit: 50,
      used: 50,
      needed: 1,
      remaining: 0,
      resetsAt: '2026-12-01T00:00:00.000Z',
      upgrade: { plan: 'personal', url: 'https://images.example/docs/plans#personal' },
    });
    expect(error.detail).toMatch(/50 of its 50 enhancements.*2026-12-01.*personal/s);
  });

  it('tells how many are needed, and how many are left', () => {
    const refusal = { quota: 'enhancements', limit: 50, used: 48, resetsAt: RESETS_AT } as const;
    const { detail, extensions } = quotaExceeded(refusal, 'free', 'https://x', 3);
    expect(detail).toContain('This request needs 3, and the account has 2 left.');
    expect(extensions).toMatchObject({ needed: 3, remaining: 2 });
  });

  it.each([
    [50, 0, 100, /the account has 50 left\. Send a smaller request or upgrade to the personal plan\.$/],
    [
      50,
      50,
      100,
      /0 left\. Send a smaller request after 2026-12-01T00:00:00\.000Z or upgrade to the personal plan\.$/,
    ],
    [0, 0, 100, /has 0 left\. Upgrade to the personal plan\.$/],
    [0, 0, 1, /of its 0 enhancements this month\. Upgrade to the personal plan\.$/],
  ])(
    'does not advise only to wait if a month has %i enhancements, %i are used and the request needs %i',
    (limit, used, needed, advice) => {
      const refusal = { quota: 'enhancements', limit, used, resetsAt: RESETS_AT } as const;
      const { detail, extensions } = quotaExceeded(refusal, 'free', 'https://x', needed);
      expect(detail).toMatch(advice);
      expect(extensions).toMatchObject({ needed, resetsAt: RESETS_AT.toISOString() });
    },
  );

  it('explains that only deleting files frees full storage', () => {
    const refusal = { quota: 'storage', limit: 2 ** 30, used: 2 ** 30, resetsAt: null } as const;
    const error = quotaExceeded(refusal, 'free', 'https://x');
    expect(error.extensions).toMatchObject({ resetsAt: null, upgrade: { plan: 'personal' } });
    expect(error.detail).toMatch(/[Dd]elete/);
  });

  it('refers Business accounts to sales', () => {
    const refusal = { quota: 'enhancements', limit: 20_000, used: 20_000, resetsAt: RESETS_AT } as const;
    const { extensions } = quotaExceeded(refusal, 'business', 'https://x');
    expect(extensions['upgrade']).toEqual({
      plan: 'enterprise',
      url: 'https://x/docs/plans#enterprise',
      note: 'contact sales',
    });
  });

  it('does not advise Enterprise to upgrade to Enterprise', () => {
    const refusal = { quota: 'enhancements', limit: 20_000, used: 20_000, resetsAt: RESETS_AT } as const;
    const { detail, extensions } = quotaExceeded(refusal, 'enterprise', 'https://x');
    expect(detail).toMatch(/ or contact sales to raise the limit\.$/);
    expect(extensions['upgrade']).toEqual({
      url: 'https://x/docs/plans#enterprise',
      note: 'contact sales',
    });
  });
});
