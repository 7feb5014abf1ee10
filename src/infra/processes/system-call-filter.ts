import {
  ALLOWED_IOCTL_REQUESTS,
  ALLOWED_SYSTEM_CALLS,
  CLONE,
  IOCTL,
  type SystemCallNumbers,
} from './system-calls.js';

/** The architectures of Node.js: index in `SystemCallNumbers`, and number in seccomp(2) (AUDIT_ARCH). */
const ARCHITECTURES: Readonly<Record<string, { readonly place: 0 | 1; readonly audit: number }>> = {
  x64: { place: 0, audit: 0xc000003e },
  arm64: { place: 1, audit: 0xc00000b7 },
};

/** Instructions of classic BPF: load a word of the call, jump if equal, mask, return. */
const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const AND = 0x54;
const RETURN = 0x06;

/** Offsets in `struct seccomp_data`. For an argument, the offset of its low word. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const argument = (index: number): number => 16 + 8 * index;

/** Return values of a filter: kill the process, fail with an error number, or allow the call. */
const KILL = 0x8000_0000;
const ALLOW = 0x7fff_0000;
const errno = (number: number): number => 0x0005_0000 | number;
const NOT_PERMITTED = errno(1);
/** The error of an older kernel. Node.js and the C library then fall back to the calls that such a kernel has. */
const NOT_IMPLEMENTED = errno(38);

const CLONE_THREAD = 0x0001_0000;
/** CLONE_NEWTIME, NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const NEW_NAMESPACES = 0x7e02_0080;

interface Instruction {
  readonly code: number;
  /** Number of instructions to skip when a comparison is true or false. */
  readonly ifTrue?: number;
  readonly ifFalse?: number;
  readonly value: number;
}

/** Whether there is a filter for an architecture of Node.js (`process.arch`). */
export function hasSystemCallFilter(arch: string): boolean {
  return Object.hasOwn(ARCHITECTURES, arch);
}

/**
 * A program for seccomp(2) that allows only the system calls of `system-calls.ts`. Others fail with ENOSYS, or EPERM
 * for a call that is allowed with other arguments. A call by another architecture's convention kills the process.
 * @param arch as in `process.arch`; `hasSystemCallFilter` must be true
 */
export function systemCallFilter(arch: string): Buffer {
  const { place, audit } = ARCHITECTURES[arch]!;
  const numberOf = (numbers: SystemCallNumbers): number => numbers[place]!;
  const allowed = Object.values(ALLOWED_SYSTEM_CALLS)
    .map((numbers) => numbers[place])
    .filter((number) => number !== undefined);
  return encoded([
    { code: LOAD, value: ARCHITECTURE },
    ...unless(audit, KILL),
    { code: LOAD, value: NUMBER },
    ...allowed.flatMap((number) => when(number, [answer(ALLOW)])),
    ...when(numberOf(CLONE), onlyThreads()),
    ...when(numberOf(IOCTL), onlyKnownRequests()),
    answer(NOT_IMPLEMENTED),
  ]);
}

function onlyThreads(): readonly Instruction[] {
  return [
    { code: LOAD, value: argument(0) },
    { code: AND, value: CLONE_THREAD | NEW_NAMESPACES },
    ...unless(CLONE_THREAD, NOT_PERMITTED),
    answer(ALLOW),
  ];
}

function onlyKnownRequests(): readonly Instruction[] {
  return [
    { code: LOAD, value: argument(1) },
    ...ALLOWED_IOCTL_REQUESTS.flatMap((request) => when(request, [answer(ALLOW)])),
    answer(NOT_PERMITTED),
  ];
}

const answer = (value: number): Instruction => ({ code: RETURN, value });

/** Runs the instructions, which must return, if the loaded word has this value. */
function when(value: number, instructions: readonly Instruction[]): readonly Instruction[] {
  return [{ code: JUMP_IF_EQUAL, ifFalse: instructions.length, value }, ...instructions];
}

/** Returns the response unless the loaded word has this value. */
function unless(value: number, response: number): readonly Instruction[] {
  return [{ code: JUMP_IF_EQUAL, ifTrue: 1, value }, answer(response)];
}

/** `struct sock_filter` for each instruction; both architectures are little-endian. */
function encoded(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(8 * program.length);
  for (const [index, { code, ifTrue = 0, ifFalse = 0, value }] of program.entries()) {
    bytes.writeUInt16LE(code, 8 * index);
    bytes.writeUInt8(ifTrue, 8 * index + 2);
    bytes.writeUInt8(ifFalse, 8 * index + 3);
    bytes.writeUInt32LE(value >>> 0, 8 * index + 4);
  }
  return bytes;
}
