import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasSystemCallFilter, systemCallFilter } from './system-call-filter.js';
import { ALLOWED_SYSTEM_CALLS, CLONE, IOCTL } from './system-calls.js';

const AUDIT = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;
const ARCHITECTURES = ['x64', 'arm64'] as const;

const ALLOW = 0x7fff_0000;
const KILL = 0x8000_0000;
const ENOSYS = 0x0005_0026;
const EPERM = 0x0005_0001;

/** Runs a filter the way the kernel does. */
function ask(filter: Buffer, audit: number, call: number, args: readonly number[] = []): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call, 0);
  data.writeUInt32LE(audit, 4);
  for (const [index, value] of args.entries()) data.writeBigUInt64LE(BigInt(value), 16 + 8 * index);
  let word = 0;
  for (let at = 0; ; at += 8) {
    const value = filter.readUInt32LE(at + 4);
    const code = filter.readUInt16LE(at);
    if (code === 0x20) word = data.readUInt32LE(value);
    else if (code === 0x54) word = (word & value) >>> 0;
    else if (code === 0x15) at += 8 * filter.readUInt8(at + (word === value ? 2 : 3));
    else if (code === 0x06) return value;
    else throw new Error(`instruction ${code}`);
  }
}

/** The name of a call in the generic header. */
const HEADER_NAMES: Readonly<Record<string, string>> = { newfstatat: 'fstatat' };

/** Reads `#define __NR_name number` lines; 64-bit architectures share the numbers of `__NR3264_name`. */
function numbersOf(header: string): ReadonlyMap<string, number> {
  const lines = readFileSync(header, 'utf8').matchAll(/^#define __NR(?:3264)?_(\w+)\s+(\d+)/gm);
  return new Map([...lines].map(([, name, number]) => [name!, Number(number)]));
}

describe.each(ARCHITECTURES)('the filter for %s', (arch) => {
  const place = ARCHITECTURES.indexOf(arch);
  const filter = systemCallFilter(arch);
  const answer = (call: number, args?: readonly number[]): number => ask(filter, AUDIT[arch], call, args);
  const clone = CLONE[place]!;
  const ioctl = IOCTL[place]!;

  it('allows the listed calls and no other number', () => {
    const listed = Object.values(ALLOWED_SYSTEM_CALLS).map((numbers) => numbers[place]);
    const allowed = Array.from({ length: 1_000 }, (_, call) => call).filter((call) => answer(call) === ALLOW);
    expect(allowed).toEqual(listed.filter((call) => call !== undefined).toSorted((a, b) => a - b));
    expect(allowed.length).toBeGreaterThan(140);
  });

  it('answers other calls like a kernel that lacks them', () => {
    const refused = { x64: [41, 53, 57, 58, 101, 165, 272, 298, 321, 323, 425, 435], arm64: [198, 117, 435] };
    for (const call of refused[arch]) expect(answer(call), String(call)).toBe(ENOSYS);
    // The 32-bit numbers of x32.
    expect(answer(0x4000_0000)).toBe(ENOSYS);
  });

  it('allows threads, but no processes or namespaces', () => {
    const thread = 0x003d_0f00;
    expect(answer(clone, [thread])).toBe(ALLOW);
    expect(answer(clone, [17])).toBe(EPERM);
    for (const bit of [
      0x80, 0x2_0000, 0x200_0000, 0x400_0000, 0x800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000,
    ])
      expect(answer(clone, [thread | bit]), bit.toString(16)).toBe(EPERM);
  });

  it('allows terminal requests only to check for a terminal', () => {
    const [TCGETS, TIOCSTI, TIOCLINUX] = [0x5401, 0x5412, 0x541c];
    expect(answer(ioctl, [1, TCGETS])).toBe(ALLOW);
    for (const request of [TIOCSTI, TIOCLINUX]) expect(answer(ioctl, [0, request])).toBe(EPERM);
  });

  it('kills a process that uses the call convention of another architecture', () => {
    for (const audit of [0x4000_0003, AUDIT[arch === 'x64' ? 'arm64' : 'x64']])
      expect(ask(filter, audit, 0)).toBe(KILL);
  });

  const header = {
    x64: '/usr/include/x86_64-linux-gnu/asm/unistd_64.h',
    arm64: '/usr/include/asm-generic/unistd.h',
  };

  it.skipIf(!existsSync(header[arch]))('matches the call numbers of the kernel (needs its headers)', () => {
    const numbers = numbersOf(header[arch]);
    const ours = Object.entries({ ...ALLOWED_SYSTEM_CALLS, clone: CLONE, ioctl: IOCTL })
      .map(([name, call]) => [name, call[place]] as const)
      .filter(([, number]) => number !== undefined);
    const theirs = ours.map(([name]) => [name, numbers.get(name) ?? numbers.get(HEADER_NAMES[name]!)]);
    expect(ours).toEqual(theirs);
  });
});

it('exists for two architectures', () => {
  expect(['x64', 'arm64', 'riscv64', 'ppc64', 'toString'].filter(hasSystemCallFilter)).toEqual([
    'x64',
    'arm64',
  ]);
});
