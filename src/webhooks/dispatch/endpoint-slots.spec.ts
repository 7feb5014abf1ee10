import { describe, expect, it } from 'vitest';
import { EndpointSlots, MAX_KNOWN_ENDPOINTS, type Slot } from './endpoint-slots.js';

const names = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

const slotsOf = (concurrency: number, endpointConcurrency: number, hostRate = 1_000): EndpointSlots =>
  new EndpointSlots({ concurrency, endpointConcurrency, hostRate });

/** The attempts for endpoints of different hosts. */
const roomsOf = (slots: EndpointSlots, ready: Iterable<string>): ReadonlyMap<string, number> =>
  slots.rooms(new Map([...ready].map((endpointId) => [endpointId, endpointId]))).rooms;

/** Starts as many attempts as possible. */
function beginAll(slots: EndpointSlots, ready: Iterable<string>): Map<string, Slot[]> {
  return new Map(
    [...roomsOf(slots, ready)].map(([endpointId, room]) => [
      endpointId,
      Array.from({ length: room }, () => slots.begin(endpointId, endpointId)),
    ]),
  );
}

/** Attempts each endpoint once; all respond. */
function introduce(slots: EndpointSlots, endpoints: readonly string[]): void {
  for (const endpointId of endpoints) slots.begin(endpointId, endpointId).end('succeeded');
}

describe('EndpointSlots', () => {
  it('gives an unknown endpoint one slot, and its full share once it has answered', () => {
    const slots = slotsOf(64, 16);
    const [slot] = beginAll(slots, ['a']).get('a')!;
    expect([...roomsOf(slots, ['a'])]).toEqual([]);
    slot!.end('succeeded');
    expect([...roomsOf(slots, ['a'])]).toEqual([['a', 16]]);
    introduce(slots, ['a']);
    slots.begin('a', 'a').end('unanswered');
    expect([...roomsOf(slots, ['a'])]).toEqual([['a', 1]]);
  });

  it('keeps what it knows when an attempt was not made', () => {
    const slots = slotsOf(8, 4);
    introduce(slots, ['a']);
    slots.begin('a', 'a').end(undefined);
    expect(roomsOf(slots, ['a']).get('a')).toBe(4);
    expect(slots.inFlight).toBe(0);
  });

  it('distributes free slots evenly', () => {
    const slots = slotsOf(10, 8);
    introduce(slots, ['a', 'b', 'c']);
    expect([...roomsOf(slots, ['a', 'b', 'c']).values()].toSorted((a, b) => a - b)).toEqual([3, 3, 4]);
  });

  it('never exceeds its limits of fast and slow attempts in flight', () => {
    const slots = slotsOf(4, 4);
    const hanging = names(1_000, 'h');
    for (let round = 0; round < 100; round += 1) {
      for (const held of beginAll(slots, hanging).values()) for (const slot of held) slot.turnSlow();
    }
    expect(slots.inFlight).toBeLessThanOrEqual(4 + 4 * 32);
    expect(slots.inFlight).toBeGreaterThanOrEqual(4 * 32);
  });

  it('leaves slots for endpoints that answer, however many hang', () => {
    const slots = slotsOf(8, 4);
    introduce(slots, ['good']);
    const hanging = names(500, 'h');
    for (let round = 0; round < 50; round += 1) {
      for (const held of beginAll(slots, hanging).values()) for (const slot of held) slot.turnSlow();
    }
    expect(roomsOf(slots, [...hanging, 'good']).get('good')).toBe(4);
  });

  it('leaves slots for unknown endpoints, however many are known to hang', () => {
    const slots = slotsOf(4, 4);
    const suspects = names(200, 's');
    for (const endpointId of suspects) slots.begin(endpointId, endpointId).end('unanswered');
    for (let round = 0; round < 100; round += 1) {
      for (const held of beginAll(slots, suspects).values()) for (const slot of held) slot.turnSlow();
    }
    expect(roomsOf(slots, [...suspects, 'new']).get('new')).toBe(1);
  });

  it('gives a slow endpoint four attempts at once', () => {
    const slots = slotsOf(64, 16);
    introduce(slots, ['slow']);
    const first = slots.begin('slow', 'slow');
    first.turnSlow();
    expect(roomsOf(slots, ['slow']).get('slow')).toBe(3);
    const others = beginAll(slots, ['slow']).get('slow')!;
    expect(roomsOf(slots, ['slow']).size).toBe(0);
    for (const slot of [first, ...others]) slot.end('succeeded');
    expect(roomsOf(slots, ['slow']).get('slow')).toBe(16);
  });

  it('forgets the endpoints whose last attempt is the longest ago', () => {
    const slots = slotsOf(64, 16);
    introduce(slots, ['old', 'used']);
    introduce(slots, names(MAX_KNOWN_ENDPOINTS - 2, 'e'));
    introduce(slots, ['used', 'new']);
    expect([...roomsOf(slots, ['old']).values()]).toEqual([1]);
    for (const known of ['used', 'new', 'e0']) expect([...roomsOf(slots, [known]).values()]).toEqual([16]);
  });
});
