/**
 * glibc gives each thread that allocates a heap of its own, which keeps what it held at its peak. Two for all of them
 * cost no time that could be measured, and a worker after large images hundreds of megabytes less. It is read when a
 * process starts, hence set by whoever starts it; other allocators do not know it.
 */
const ALLOCATOR = { MALLOC_ARENA_MAX: '2' };

/**
 * The environment a process started by this one gets: everything this one has, plus `overrides`
 * (`undefined` removes a variable), and a frugal allocator unless this one says otherwise. Here because this folder is the only reader of the environment.
 */
export function childEnvironment(
  overrides: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const merged: Record<string, string | undefined> = { ...ALLOCATOR, ...process.env, ...overrides };
  return Object.fromEntries(
    Object.entries(merged).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** What a program needs in order to start at all, on one system or another. */
const NEEDED = ['PATH', 'LD_LIBRARY_PATH', 'LD_PRELOAD', 'SystemRoot'];

/**
 * The environment of a process that is given what strangers sent: nothing of this one's but how to find libraries, so
 * that no key or password is in the memory of what may be made to misbehave.
 */
export function bareEnvironment(): Record<string, string> {
  const needed = NEEDED.flatMap((name): [string, string][] => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...ALLOCATOR, ...Object.fromEntries(needed) };
}
