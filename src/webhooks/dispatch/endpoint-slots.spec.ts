import { describe, expect, it } from 'vitest';
import { EndpointSlots, MAX_KNOWN_ENDPOINTS, type Slot } from './endpoint-slots.js';

const names = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/** Starts as many attempts as possible. */
function beginAll(slots: EndpointSlots, ready: Iterable<string>): Map<string, Slot[]> {
  return new Map(
    [...slots.rooms(ready)].map(([endpointId, room]) => [
      endpointId,
      Array.from({ length: room }, () => slots.begin(endpointId)),
    ]),
  );
}

/** Attempts each endpoint once; all respond. */
function introduce(slots: EndpointSlots, endpoints: readonly string[]): void {
  for (const endpointId of endpoints) slots.begin(endpointId).end(true);
}

describe('EndpointSlots', () => {
  it('gives an unknown endpoint one slot, and its full share once it has answered', () => {
    const slots = new EndpointSlots({ concurrency: 64, endpointConcurrency: 16 });
    const [slot] = beginAll(slots, ['a']).get('a')!;
    expect([...slots.rooms(['a'])]).toEqual([]);
    slot!.end(true);
    expect([...slots.rooms(['a'])]).toEqual([['a', 16]]);
    introduce(slots, ['a']);
    slots.begin('a').end(false);
    expect([...slots.rooms(['a'])]).toEqual([['a', 1]]);
  });

  it('keeps what it knows when an attempt was not made', () => {
    const slots = new EndpointSlots({ concurrency: 8, endpointConcurrency: 4 });
    introduce(slots, ['a']);
    slots.begin('a').end(undefined);
    expect(slots.rooms(['a']).get('a')).toBe(4);
    expect(slots.inFlight).toBe(0);
  });

  it('distributes free slots evenly', () => {
    const slots = new EndpointSlots({ concurrency: 10, endpointConcurrency: 8 });
    introduce(slots, ['a', 'b', 'c']);
    expect([...slots.rooms(['a', 'b', 'c']).values()].toSorted((a, b) => a - b)).toEqual([3, 3, 4]);
  });

  it('never exceeds its limits of fast and slow attempts in flight', () => {
    const slots = new EndpointSlots({ concurrency: 4, endpointConcurrency: 4 });
    const hanging = names(1_000, 'h');
    for (let round = 0; round < 100; round += 1) {
      for (const held of beginAll(slots, hanging).values()) for (const slot of held) slot.turnSlow();
    }
    expect(slots.inFlight).toBeLessThanOrEqual(4 + 4 * 32);
    expect(slots.inFlight).toBeGreaterThanOrEqual(4 * 32);
  });

  it('leaves slots for endpoints that answer, however many hang', () => {
    const slots = new EndpointSlots({ concurrency: 8, endpointConcurrency: 4 });
    introduce(slots, ['good']);
    const hanging = names(500, 'h');
    for (let round = 0; round < 50; round += 1) {
      for (const held of beginAll(slots, hanging).values()) for (const slot of held) slot.turnSlow();
    }
    expect(slots.rooms([...hanging, 'good']).get('good')).toBe(4);
  });

  it('leaves slots for unknown endpoints, however many are known to hang', () => {
    const slots = new EndpointSlots({ concurrency: 4, endpointConcurrency: 4 });
    const suspects = names(200, 's');
    for (const endpointId of suspects) slots.begin(endpointId).end(false);
    for (let round = 0; round < 100; round += 1) {
      for (const held of beginAll(slots, suspects).values()) for (const slot of held) slot.turnSlow();
    }
    expect(slots.rooms([...suspects, 'new']).get('new')).toBe(1);
  });

  it('gives a slow endpoint four attempts at once', () => {
    const slots = new EndpointSlots({ concurrency: 64, endpointConcurrency: 16 });
    introduce(slots, ['slow']);
    const first = slots.begin('slow');
    first.turnSlow();
    expect(slots.rooms(['slow']).get('slow')).toBe(3);
    const others = beginAll(slots, ['slow']).get('slow')!;
    expect(slots.rooms(['slow']).size).toBe(0);
    for (const slot of [first, ...others]) slot.end(true);
    expect(slots.rooms(['slow']).get('slow')).toBe(16);
  });

  it('forgets the endpoints whose last attempt is the longest ago', () => {
    const slots = new EndpointSlots({ concurrency: 64, endpointConcurrency: 16 });
    introduce(slots, ['old', 'used']);
    introduce(slots, names(MAX_KNOWN_ENDPOINTS - 2, 'e'));
    introduce(slots, ['used', 'new']);
    expect([...slots.rooms(['old']).values()]).toEqual([1]);
    for (const known of ['used', 'new', 'e0']) expect([...slots.rooms([known]).values()]).toEqual([16]);
  });
});
