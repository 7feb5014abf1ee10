import { fileVariable } from './secrets/secret-files.js';

/**
 * glibc gives each thread that allocates a heap of its own, which keeps what it held at its peak. One for all of them
 * costs no time that could be measured on two cores, and a worker after large images hundreds of megabytes less. It is
 * read when a process starts, hence set by whoever starts it; other allocators do not know it.
 */
const ALLOCATOR = { MALLOC_ARENA_MAX: '1' };

/**
 * Runs of a model want the same large blocks again and again; pages fresh from the system for each cost a fifth of the
 * time. So blocks of up to a gigabyte are taken from the heap, of which 200 MB stay when they are free.
 */
const LARGE_BLOCKS = { MALLOC_MMAP_THRESHOLD_: '1000000000', MALLOC_TRIM_THRESHOLD_: '200000000' };

/** The first glibc that is known to take such a threshold: older ones leave it at 128 KiB, which is worse than nothing. */
const LARGE_BLOCKS_SINCE = [2, 36] as const;

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The environment a process started by this one gets: everything this one has, plus `overrides`
 * (`undefined` removes a variable, either kind also the `<name>_FILE` beside it), and a frugal allocator unless this one says otherwise. Here because this folder is the only reader of the environment.
 */
export function childEnvironment(overrides: Variables): Record<string, string> {
  return merged(ALLOCATOR, process.env, withoutFilesOf(overrides), overrides);
}

/** The environment of a worker: see `childEnvironment`. */
export function workerEnvironment(overrides: Variables): Record<string, string> {
  return merged(workerAllocator(), process.env, withoutFilesOf(overrides), overrides);
}

/**
 * Whether this process's heap keeps large blocks (`workerEnvironment`), so that tensors may lie in it. Else an arena
 * for each model is faster, and takes three times the memory.
 */
export function keepsLargeBlocks(): boolean {
  return process.env['MALLOC_MMAP_THRESHOLD_'] !== undefined && takesLargeBlocks();
}

/** What a program needs in order to start at all, on one system or another. */
const NEEDED = /^(?:PATH|LD_LIBRARY_PATH|LD_PRELOAD|SystemRoot)$/i;

/**
 * The environment of a process that is given what strangers sent: nothing of this one's but how to find libraries, so
 * that no key or password is in the memory of what may be made to misbehave.
 */
export function bareEnvironment(): Record<string, string> {
  return merged(
    ALLOCATOR,
    picked((name) => NEEDED.test(name)),
  );
}

const SECRET_NAME =
  /KEY|TOKEN|SECRET|PASS|PWD$|CREDENTIAL|AUTH|COOKIE|SESSION|DSN|HEADERS$|UR[IL](?:_FILE)?$|^(?:TF_VAR|AWS|AZURE|GCP|GOOGLE|PG)/i;
/** An address with a password in it. */
const SECRET_VALUE = /:\/\/[^/\s]*:[^/\s]*@/;

/**
 * The environment of a process that runs somebody's model: nothing that is named or looks like a secret. Everything
 * else stays, since drivers and runtimes of accelerators read more variables than could be listed.
 */
export function deviceEnvironment(overrides: Variables = {}): Record<string, string> {
  const harmless = picked((name, value) => !SECRET_NAME.test(name) && !SECRET_VALUE.test(value));
  return merged(workerAllocator(), harmless, overrides);
}

/** A variable that is set or removed must not come back from the file of its secret. */
function withoutFilesOf(overrides: Variables): Variables {
  return Object.fromEntries(Object.keys(overrides).map((name) => [fileVariable(name), undefined]));
}

function workerAllocator(): Variables {
  return takesLargeBlocks() ? { ...ALLOCATOR, ...LARGE_BLOCKS } : ALLOCATOR;
}

let takesBlocks: boolean | undefined;

/** Asked once: the report takes a while to write. */
function takesLargeBlocks(): boolean {
  takesBlocks ??= isSince(glibcVersion(), LARGE_BLOCKS_SINCE);
  return takesBlocks;
}

/** For example `2.36`; undefined where another library is in its place. */
function glibcVersion(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  const { header } = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return header?.glibcVersionRuntime;
}

function isSince(version: string | undefined, [major, minor]: readonly [number, number]): boolean {
  const [ofMajor = 0, ofMinor = 0] = (version ?? '').split('.').map(Number);
  return ofMajor > major || (ofMajor === major && ofMinor >= minor);
}

function picked(isWanted: (name: string, value: string) => boolean): Variables {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name, value]) => value !== undefined && isWanted(name, value)),
  );
}

function merged(...layers: readonly Variables[]): Record<string, string> {
  const all = Object.assign({}, ...layers) as Variables;
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
