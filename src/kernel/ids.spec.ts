import { describe, expect, it } from 'vitest';
import { ID_PREFIXES, type IdKind, isId, lowestIdOf, newId } from './ids.js';

const KINDS = Object.keys(ID_PREFIXES) as IdKind[];

describe('newId', () => {
  it.each(KINDS)('generates a %s id: a prefix, and a version 7 UUID in hex', (kind) => {
    const id = newId(kind);
    expect(id).toMatch(new RegExp(`^${ID_PREFIXES[kind]}_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$`));
    expect(isId(kind, id)).toBe(true);
  });

  it('carries the time in its first 48 bits', () => {
    const nowMs = Date.now() + 1_000_000;
    expect(parseInt(newId('job', nowMs).slice(4, 16), 16)).toBe(nowMs);
  });

  it('generates unique, increasing ids, however many in one millisecond', () => {
    const nowMs = Date.now() + 2_000_000;
    const ids = Array.from({ length: 20_000 }, () => newId('event', nowMs));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(ids);
  });

  it('increases even if the clock goes back', () => {
    const nowMs = Date.now() + 3_000_000;
    const first = newId('job', nowMs);
    const second = newId('job', nowMs - 60_000);
    expect(second > first).toBe(true);
  });

  it('follows a clock that was far ahead and is corrected, so that ids keep encoding the time', () => {
    const nowMs = Date.now();
    newId('job', nowMs + 400 * 86_400_000);
    const [first, second] = [newId('job', nowMs), newId('job', nowMs)];
    expect(parseInt(first.slice(4, 16), 16)).toBe(nowMs);
    expect(second > first).toBe(true);
  });

  it('has a distinct prefix for each kind', () => {
    expect(new Set(Object.values(ID_PREFIXES)).size).toBe(KINDS.length);
  });
});

describe('isId', () => {
  const id = newId('job');

  it.each([
    '',
    'job',
    'job_',
    id.slice(0, -1),
    `${id}0`,
    `${id}\n`,
    ` ${id}`,
    id.toUpperCase(),
    id.replace('job_', 'src_'),
    id.replace('job_', 'job__'),
    id.replace(/.$/, 'g'),
    id.replace(/.$/, '\0'),
  ])('refuses %j', (text) => {
    expect(isId('job', text)).toBe(false);
  });
});

describe('lowestIdOf', () => {
  it('separates the ids of a millisecond from earlier ones', () => {
    const ms = Date.parse('2100-01-01T00:00:00Z');
    const id = newId('job', ms);
    expect(id > lowestIdOf('job', ms)).toBe(true);
    expect(id < lowestIdOf('job', ms + 1)).toBe(true);
  });

  it('is a valid id even for times that no id can have', () => {
    for (const ms of [-1e15, 1e18]) expect(isId('job', lowestIdOf('job', ms))).toBe(true);
  });
});
