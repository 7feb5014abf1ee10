/**
 * glibc gives each thread that allocates a heap of its own, which keeps what it held at its peak. One for all of them
 * costs no time that could be measured, and a worker after large images hundreds of megabytes less. It is read when a
 * process starts, hence set by whoever starts it; other allocators do not know it.
 */
const ALLOCATOR = { MALLOC_ARENA_MAX: '1' };

/**
 * A worker's tensors lie in that heap too (`OnnxEngine`), and runs of a model want the same large blocks again and
 * again: pages fresh from the system for each cost a fifth of the time. So blocks of up to a gigabyte are taken from
 * the heap, of which 200 MB stay when they are free.
 */
const WORKER_ALLOCATOR = {
  ...ALLOCATOR,
  MALLOC_MMAP_THRESHOLD_: '1000000000',
  MALLOC_TRIM_THRESHOLD_: '200000000',
};

/**
 * The environment a process started by this one gets: everything this one has, plus `overrides`
 * (`undefined` removes a variable), and a frugal allocator unless this one says otherwise. Here because this folder is the only reader of the environment.
 */
export function childEnvironment(
  overrides: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return merged(ALLOCATOR, overrides);
}

/** The environment of a worker: see `childEnvironment`. */
export function workerEnvironment(
  overrides: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return merged(WORKER_ALLOCATOR, overrides);
}

function merged(
  allocator: Readonly<Record<string, string>>,
  overrides: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const all: Record<string, string | undefined> = { ...allocator, ...process.env, ...overrides };
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** What a program needs in order to start at all, on one system or another. */
const NEEDED = /^(?:PATH|LD_LIBRARY_PATH|LD_PRELOAD|SystemRoot)$/;

/**
 * The environment of a process that is given what strangers sent: nothing of this one's but how to find libraries, so
 * that no key or password is in the memory of what may be made to misbehave.
 */
export function bareEnvironment(): Record<string, string> {
  return { ...ALLOCATOR, ...own(NEEDED) };
}

/** What drivers and runtimes of accelerators read, and where they keep what they compile. */
const ACCELERATOR =
  /^(?:(?:CUDA|NVIDIA|VK|ORT|TF|TFJS|MESA|__GL|__NV)_\w+|HOME|TMPDIR|TEMP|TMP|XDG_CACHE_HOME|XDG_DATA_DIRS|XDG_RUNTIME_DIR)$/;

/** The environment of a process that runs somebody's model: no key or password, but what a device needs. */
export function deviceEnvironment(overrides: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { ...WORKER_ALLOCATOR, ...own(NEEDED), ...own(ACCELERATOR), ...overrides };
}

function own(pattern: RegExp): Record<string, string> {
  const entries = Object.entries(process.env);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => pattern.test(entry[0]) && entry[1] !== undefined),
  );
}
