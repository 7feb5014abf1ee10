import { fileVariable } from './secrets/secret-files.js';

/**
 * glibc gives each allocating thread its own heap, which keeps its peak size. A single heap costs no measurable time on
 * two cores and saves a worker hundreds of megabytes after large images. The setting is read when a process starts, so
 * the parent sets it. Other allocators ignore it.
 */
const ALLOCATOR = { MALLOC_ARENA_MAX: '1' };

/**
 * Model runs request the same large blocks repeatedly; fresh pages from the system would cost a fifth of the time.
 * Therefore blocks of up to a gigabyte come from the heap, which keeps at most 200 MB of free memory.
 */
const LARGE_BLOCKS = { MALLOC_MMAP_THRESHOLD_: '1000000000', MALLOC_TRIM_THRESHOLD_: '200000000' };

/** The first glibc that accepts this threshold. Older versions leave it at 128 KiB, which is worse than no setting. */
const LARGE_BLOCKS_SINCE = [2, 36] as const;

/**
 * NVIDIA's libraries would round the inputs of float32 products to 10 bits (TensorFloat-32). Models that subtract large
 * numbers then give another result than on a CPU; half precision is not affected. Read when the libraries load.
 */
const EXACT_FLOAT32 = { NVIDIA_TF32_OVERRIDE: '0' };

/**
 * Threads for files while up to 60 results are encoded. With Node.js's default of 4, a worker encodes at most four
 * results at once, and the pixel files of all other jobs wait for those. Read when a process starts.
 */
const THREAD_POOL = { UV_THREADPOOL_SIZE: '64' };

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The environment for a child process: the current one with `overrides` applied (`undefined` removes a variable, and
 * any override removes the variable's `<name>_FILE`), plus allocator settings unless they are set already.
 */
export function childEnvironment(overrides: Variables): Record<string, string> {
  return merged(ALLOCATOR, process.env, withoutFilesOf(overrides), overrides);
}

/** The environment of a worker: see `childEnvironment`. */
export function workerEnvironment(overrides: Variables): Record<string, string> {
  return merged(modelSettings(), THREAD_POOL, process.env, withoutFilesOf(overrides), overrides);
}

/**
 * Whether this process's heap keeps large blocks (`workerEnvironment`), so that tensors can be allocated from it.
 * Otherwise an arena for each model is faster, but takes three times the memory.
 */
export function keepsLargeBlocks(): boolean {
  return process.env['MALLOC_MMAP_THRESHOLD_'] !== undefined && takesLargeBlocks();
}

/** Variables that a program needs to start, on any supported system. */
const NEEDED = /^(?:PATH|LD_LIBRARY_PATH|LD_PRELOAD|SystemRoot)$/i;

/**
 * The environment of a process that handles untrusted input: only what is needed to find libraries, so that a
 * compromised process holds no key or password.
 */
export function bareEnvironment(): Record<string, string> {
  return merged(
    ALLOCATOR,
    picked((name) => NEEDED.test(name)),
  );
}

const SECRET_NAME =
  /KEY|TOKEN|SECRET|PASS|PWD$|CREDENTIAL|AUTH|COOKIE|SESSION|DSN|HEADERS$|UR[IL](?:_FILE)?$|^(?:TF_VAR|AWS|AZURE|GCP|GOOGLE|PG)/i;
/** A URL that contains a password. */
const SECRET_VALUE = /:\/\/[^/\s]*:[^/\s]*@/;

/**
 * The environment of a process that runs an untrusted model: without variables that look like secrets by name or value.
 * Everything else stays, because accelerator drivers and runtimes read more variables than could be listed.
 */
export function deviceEnvironment(overrides: Variables = {}): Record<string, string> {
  const harmless = picked((name, value) => !SECRET_NAME.test(name) && !SECRET_VALUE.test(value));
  return merged(modelSettings(), harmless, overrides);
}

/** A variable that is set or removed must not be read from its secret file instead. */
function withoutFilesOf(overrides: Variables): Variables {
  return Object.fromEntries(Object.keys(overrides).map((name) => [fileVariable(name), undefined]));
}

function modelSettings(): Variables {
  return { ...ALLOCATOR, ...(takesLargeBlocks() && LARGE_BLOCKS), ...EXACT_FLOAT32 };
}

let takesBlocks: boolean | undefined;

/** Cached: the report is slow to create. */
function takesLargeBlocks(): boolean {
  takesBlocks ??= isSince(glibcVersion(), LARGE_BLOCKS_SINCE);
  return takesBlocks;
}

/** For example `2.36`; undefined with another C library. */
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
