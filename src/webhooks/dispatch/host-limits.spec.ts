import { describe, expect, it } from 'vitest';
import { EndpointSlots, type Slot } from './endpoint-slots.js';
import { HostLimits, MAX_KNOWN_HOSTS } from './host-limits.js';

const VICTIM = 'acc_1 victim.example';
const NONE = { all: 0, suspect: 0 };

/** Endpoints of one host. */
const crowd = (count: number, host = VICTIM): Map<string, string> =>
  new Map(Array.from({ length: count }, (_, index) => [`${host} ${index}`, host]));

/** Starts as many attempts as possible. */
function beginAll(slots: EndpointSlots, ready: ReadonlyMap<string, string>, nowMs: number): Slot[] {
  return [...slots.rooms(ready, nowMs).rooms].flatMap(([endpointId, room]) =>
    Array.from({ length: room }, () => slots.begin(endpointId, ready.get(endpointId)!, nowMs)),
  );
}

/** Attempts in flight that all begin now and end at once. @returns how many */
function attemptAll(slots: EndpointSlots, nowMs: number, end: 'succeeded' | 'refused'): number {
  let attempts = 0;
  for (;;) {
    const begun = beginAll(slots, crowd(20), nowMs);
    if (begun.length === 0) return attempts;
    attempts += begun.length;
    for (const slot of begun) slot.end(end);
  }
}

describe('endpoints of one host', () => {
  it('share the concurrency of one endpoint', () => {
    const slots = new EndpointSlots({ concurrency: 64, endpointConcurrency: 16, hostRate: 1_000 });
    const first = beginAll(slots, crowd(20), 0);
    expect(first).toHaveLength(12);
    for (const slot of first) slot.end('succeeded');
    expect(beginAll(slots, crowd(20), 0)).toHaveLength(16);
    expect(beginAll(slots, crowd(20), 5_000)).toHaveLength(0);
    expect(beginAll(slots, crowd(4, 'acc_2 victim.example'), 0)).toHaveLength(4);
  });

  it('leave room for those that respond, however many hang', () => {
    const slots = new EndpointSlots({ concurrency: 64, endpointConcurrency: 4, hostRate: 1_000 });
    slots.begin('good', VICTIM, 0).end('succeeded');
    expect(beginAll(slots, crowd(20), 0)).toHaveLength(3);
    expect(slots.rooms(new Map([...crowd(20), ['good', VICTIM]]), 0).rooms).toEqual(new Map([['good', 1]]));
  });

  it('share a rate, with a burst of one second', () => {
    const slots = new EndpointSlots({ concurrency: 64, endpointConcurrency: 16, hostRate: 50 });
    expect(attemptAll(slots, 10_000, 'succeeded')).toBe(50);
    expect(slots.rooms(crowd(20), 10_000).rateWaitMs).toBe(20);
    expect(attemptAll(slots, 10_019, 'succeeded')).toBe(0);
    expect(attemptAll(slots, 10_100, 'succeeded')).toBe(5);
    expect(attemptAll(slots, 60_000, 'succeeded')).toBe(50);
  });

  it('get one attempt a second after ten failures in a row, until one succeeds', () => {
    const slots = new EndpointSlots({ concurrency: 1, endpointConcurrency: 16, hostRate: 50 });
    expect(attemptAll(slots, 0, 'refused')).toBe(10);
    let attempts = 0;
    for (let nowMs = 100; nowMs <= 10_000; nowMs += 100) attempts += attemptAll(slots, nowMs, 'refused');
    expect(attempts).toBe(10);
    attempts = 0;
    for (let nowMs = 10_100; nowMs <= 12_000; nowMs += 100) attempts += attemptAll(slots, nowMs, 'succeeded');
    expect(attempts).toBeGreaterThanOrEqual(50);
  });
});

describe('HostLimits', () => {
  it('keeps the failures when an attempt was not made', () => {
    const limits = new HostLimits({ concurrency: 4, ratePerSecond: 100 });
    for (let count = 0; count < 10; count += 1) {
      limits.begin(VICTIM, false, 0);
      limits.end(VICTIM, false, 'refused');
    }
    limits.begin(VICTIM, false, 5_000);
    limits.end(VICTIM, false, undefined);
    expect(limits.waitMs(VICTIM, 0, 5_000)).toBe(1_000);
  });

  it('forgets the hosts whose last attempt is the longest ago, except those with attempts in flight', () => {
    const limits = new HostLimits({ concurrency: 1, ratePerSecond: 1 });
    for (const host of ['busy', 'old', ...crowd(MAX_KNOWN_HOSTS).keys()]) {
      limits.begin(host, false, 0);
      if (host !== 'busy') limits.end(host, false, 'succeeded');
    }
    expect(limits.waitMs('old', 0, 0)).toBe(0);
    expect(limits.hasRoom('busy', NONE, false)).toBe(false);
    limits.end('busy', false, 'succeeded');
    expect(limits.hasRoom('busy', NONE, false)).toBe(true);
  });
});
