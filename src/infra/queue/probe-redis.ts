import { Redis } from 'ioredis';

const CONNECT_MS = 5_000;

/** One of the keys of the queue, so that a user who may write these keys may write it. */
export const PROBE_KEY = '{ies}:probe';
/** The probe leaves nothing behind. */
export const PROBE_TTL_MS = 1_000;

/** The version of a Redis server. @throws Error when it does not respond, or refuses to write */
export async function probeRedis(url: string): Promise<string> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // `connect` rejects with "Connection is closed."; the reason, such as a wrong password, comes with the event.
  let reason: Error | undefined;
  redis.on('error', (error: Error) => (reason ??= error));
  try {
    await redis.connect();
    const info = await redis.info('server');
    await redis.set(PROBE_KEY, '', 'PX', PROBE_TTL_MS);
    return /redis_version:(\S+)/.exec(info)?.[1] ?? 'unknown';
  } catch (error) {
    throw reason ?? error;
  } finally {
    redis.disconnect();
  }
}
