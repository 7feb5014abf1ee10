import { describe, expect, it } from 'vitest';
import { settleMail } from './mail-settlement.js';

const DELAYS = [0, 1_000, 60_000];
const deferred = { end: 'deferred', text: '451 busy' } as const;

describe('settleMail', () => {
  it('stops at the first acceptance or refusal', () => {
    expect(settleMail({ end: 'accepted', text: '250 ok' }, 1, DELAYS, 0)).toEqual({
      status: 'sent',
      wasAttempted: true,
      error: null,
      nextInMs: null,
    });
    expect(settleMail({ end: 'refused', text: '550 no' }, 1, DELAYS, 0)).toMatchObject({
      status: 'refused',
      error: '550 no',
      nextInMs: null,
    });
  });

  it('backs off with up to 20% of jitter, and then gives up', () => {
    expect(settleMail(deferred, 1, DELAYS, 0)).toMatchObject({ status: 'pending', nextInMs: 1_000 });
    expect(settleMail(deferred, 1, DELAYS, 0.5)).toMatchObject({ status: 'pending', nextInMs: 1_100 });
    expect(settleMail({ ...deferred, end: 'unanswered' }, 2, DELAYS, 0)).toMatchObject({ nextInMs: 60_000 });
    expect(settleMail(deferred, 3, DELAYS, 0)).toMatchObject({ status: 'given_up', nextInMs: null });
  });
});
