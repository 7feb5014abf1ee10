import { describe, expect, it } from 'vitest';
import { type ClaimedRow, ClaimedDelivery, type Outcome } from './claimed-delivery.js';
import { outcomesOf } from './endpoint-outcome.js';
import { settle, type SettledAttempt } from './settlement.js';

const DELAYS = [0, 1_000, 60_000];

function row(step: number, endpointId = 'we_1'): ClaimedRow {
  return {
    id: `dlv_${endpointId}_${step}`,
    claim: 1,
    step,
    traceparent: null,
    event: { id: 'evt_1', type: 'ping', createdAt: new Date(0), livemode: true, data: {} },
    destination: {
      endpointId,
      url: 'https://receiver.example/',
      endpointUrl: 'https://receiver.example/',
      isCallback: false,
      sealedSecret: Buffer.alloc(0),
      previousSecrets: [],
    },
  };
}

const finished = (given: ClaimedRow, outcome: Outcome) => new ClaimedDelivery(given, 0).begin()(outcome);
const answer = (status: number, retryAfter?: string): Outcome => ({
  answer: { status, retryAfter, body: '' },
  error: null,
});
const silence: Outcome = { answer: null, error: 'The connection was refused.' };
const settled = (step: number, outcome: Outcome) => settle(finished(row(step), outcome), DELAYS, 0);

describe('settle', () => {
  it.each([200, 201, 204, 299])('%i is success', (status) => {
    expect(settled(0, answer(status))).toMatchObject({ status: 'succeeded', nextInMs: null });
  });

  it.each([100, 301, 307, 400, 404, 500, 599])('%i is retried on schedule', (status) => {
    expect(settled(0, answer(status))).toMatchObject({ status: 'pending', step: 1, nextInMs: 1_000 });
    expect(settled(1, answer(status))).toMatchObject({ status: 'pending', step: 2, nextInMs: 60_000 });
    expect(settled(2, answer(status))).toMatchObject({ status: 'failed', nextInMs: null });
  });

  it('no response is retried, too', () => {
    expect(settled(0, silence)).toMatchObject({ status: 'pending', nextInMs: 1_000, pauseInMs: null });
  });

  it('410 is final, and marks the endpoint as gone', () => {
    expect(settled(0, answer(410, '5'))).toMatchObject({ status: 'failed', isGone: true });
  });

  it('Retry-After only lengthens the delay, and 429 and 503 pause the whole endpoint', () => {
    expect(settled(0, answer(503, '30'))).toMatchObject({ nextInMs: 30_000, pauseInMs: 30_000 });
    expect(settled(0, answer(429, '30'))).toMatchObject({ nextInMs: 30_000, pauseInMs: 30_000 });
    expect(settled(1, answer(503, '30'))).toMatchObject({ nextInMs: 60_000, pauseInMs: 30_000 });
    expect(settled(0, answer(500, '30'))).toMatchObject({ nextInMs: 30_000, pauseInMs: null });
    expect(settled(2, answer(503, '30'))).toMatchObject({ status: 'failed', pauseInMs: 30_000 });
  });
});

describe('outcomesOf', () => {
  const one = (given: ClaimedRow, outcome: Outcome) => {
    const attempt = finished(given, outcome);
    return { attempt, settlement: settle(attempt, DELAYS, 0) };
  };

  /** What recording the attempts returns: for each, whether its endpoint was failing before. */
  const written = (settledOnes: readonly SettledAttempt[], isFailing = false) =>
    new Map(settledOnes.map(({ attempt }) => [attempt.row.id, isFailing]));

  it('is empty for an ordinary success', () => {
    const given = [one(row(0), answer(200)), one(row(1), answer(204))];
    expect(outcomesOf(given, written(given))).toEqual([]);
  });

  it('reports that failures are over after a success', () => {
    const given = [one(row(0), answer(200))];
    expect(outcomesOf(given, written(given, true))).toMatchObject([
      { endpointId: 'we_1', succeeded: true, lastFailureAt: null },
    ]);
  });

  it('ignores attempts that were not recorded', () => {
    const given = [one(row(0), silence), one(row(1), answer(410))];
    expect(outcomesOf(given, written(given.slice(0, 1)))).toMatchObject([{ isGone: false }]);
    expect(outcomesOf(given, new Map())).toEqual([]);
  });

  it('merges the attempts of one endpoint', () => {
    const given = [
      one(row(0, 'we_1'), silence),
      one(row(1, 'we_2'), answer(410)),
      one(row(1, 'we_1'), answer(503, '7')),
      one(row(2, 'we_1'), answer(500)),
    ];
    const outcomes = outcomesOf(given, written(given));
    expect(outcomes).toMatchObject([
      { endpointId: 'we_1', succeeded: false, isGone: false, pauseInMs: 7_000 },
      { endpointId: 'we_2', succeeded: false, isGone: true, pauseInMs: null },
    ]);
    expect(outcomes[0]!.firstFailureAt!.getTime()).toBeLessThanOrEqual(outcomes[0]!.lastFailureAt!.getTime());
  });
});
