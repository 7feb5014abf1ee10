import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DIRECT } from './data-source.js';
import { ReadReplica } from './read-replica.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
afterEach(() => void vi.useRealTimers());

it('tries a replica that failed again after five seconds, even if the clock is set back', async () => {
  const warn = vi.fn<(text: string) => void>();
  const replica = new ReadReplica({
    // Nothing listens there.
    databaseUrl: 'postgres://127.0.0.1:1/images',
    poolSize: 1,
    applicationName: 'test',
    traits: DIRECT,
    warn,
  });
  const list = replica.before({ query: () => Promise.resolve([]) });
  await list.query('SELECT 1');
  expect(warn).toHaveBeenCalledTimes(1);
  vi.setSystemTime(Date.now() - 3_600_000);
  vi.advanceTimersByTime(4_999);
  await list.query('SELECT 1');
  expect(warn).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  await list.query('SELECT 1');
  expect(warn).toHaveBeenCalledTimes(2);
  await replica.onApplicationShutdown();
});
