import { Redis } from 'ioredis';

const CONNECT_MS = 5_000;

/** The version of a Redis server. @throws Error when it does not respond */
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
    return /redis_version:(\S+)/.exec(await redis.info('server'))?.[1] ?? 'unknown';
  } catch (error) {
    throw reason ?? error;
  } finally {
    redis.disconnect();
  }
}
