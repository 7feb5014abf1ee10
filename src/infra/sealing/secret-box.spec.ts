import { describe, expect, it } from 'vitest';
import { SealError, SecretBox } from './secret-box.js';

const KEY = 'k'.repeat(43);
const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

describe('SecretBox', () => {
  const box = new SecretBox(KEY);

  it.each([SECRET, '', 'ümläut 🔑', 'x'.repeat(10_000)])('opens what it sealed: %#', (plain) => {
    expect(box.open(box.seal(plain, 'we_1'), 'we_1')).toBe(plain);
    expect(new SecretBox(KEY).open(box.seal(plain, 'we_1'), 'we_1')).toBe(plain);
  });

  it('reveals nothing of the secret, and seals the same secret differently each time', () => {
    const sealed = [box.seal(SECRET, 'we_1'), box.seal(SECRET, 'we_1')];
    expect(sealed[0]!.equals(sealed[1]!)).toBe(false);
    for (const bytes of sealed) {
      expect(bytes.includes('whsec_')).toBe(false);
      expect(bytes).toHaveLength(1 + 12 + SECRET.length + 16);
    }
  });

  it('opens bytes inside a larger buffer, as a driver returns them', () => {
    const sealed = box.seal(SECRET, 'we_1');
    const pool = new Uint8Array([9, 9, 9, ...sealed, 9, 9]);
    expect(box.open(pool.subarray(3, 3 + sealed.length), 'we_1')).toBe(SECRET);
  });

  it('does not open with another key, and names the key to restore', () => {
    const other = new SecretBox('o'.repeat(43));
    expect(() => other.open(box.seal(SECRET, 'we_1'), 'we_1')).toThrow(SealError);
    expect(() => other.open(box.seal(SECRET, 'we_1'), 'we_1')).toThrow(
      /another key.*Restore the SEALING_KEY/,
    );
  });

  it('does not open in another context', () => {
    expect(() => box.open(box.seal(SECRET, 'we_1'), 'we_2')).toThrow(SealError);
  });

  it('does not open if any single byte was altered', () => {
    const sealed = box.seal('secret', 'we_1');
    for (let at = 0; at < sealed.length; at += 1) {
      const altered = Buffer.from(sealed);
      altered[at]! ^= 1;
      expect(() => box.open(altered, 'we_1'), `byte ${at}`).toThrow(SealError);
    }
  });

  it('does not open if bytes are missing or appended', () => {
    const sealed = box.seal('secret', 'we_1');
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => box.open(sealed.subarray(0, length), 'we_1'), `${length} bytes`).toThrow(SealError);
    }
    expect(() => box.open(Buffer.concat([sealed, Buffer.of(0)]), 'we_1')).toThrow(SealError);
  });

  it('seals with the newest key, opens with every key, and reports which one was used', () => {
    const keys = [KEY];
    const rotated = new SecretBox(() => keys);
    const before = rotated.seal(SECRET, 'we_1');
    keys.unshift('n'.repeat(43));
    const after = rotated.seal(SECRET, 'we_1');
    expect(rotated.open(before, 'we_1')).toBe(SECRET);
    expect([rotated.keyIndex(before, 'we_1'), rotated.keyIndex(after, 'we_1')]).toEqual([1, 0]);
    expect(() => box.open(after, 'we_1')).toThrow(SealError);
    expect(() => rotated.open(before, 'we_2')).toThrow(SealError);
    keys.pop();
    expect(rotated.open(after, 'we_1')).toBe(SECRET);
    expect(() => rotated.open(before, 'we_1')).toThrow(SealError);
  });

  it('refuses a short key', () => {
    expect(() => new SecretBox('short')).toThrow(/at least 32 characters/);
  });
});
