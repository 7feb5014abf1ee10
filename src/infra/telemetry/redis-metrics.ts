import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.js';
import { sharedRead } from './shared-read.js';

/** Whether the Redis of the queue takes writes of this process, tried at each scrape. */
export class RedisMetrics {
  /** @param probe writes to Redis; rejects with the reason when that fails */
  constructor({ registry }: Pick<Metrics, 'registry'>, probe: () => Promise<void>) {
    const registers = [registry];
    // A start counts as a success, so that alerts also find a Redis that never worked.
    let lastSuccessMs = Date.now();
    const written = sharedRead(async () => {
      await probe();
      lastSuccessMs = Date.now();
      return true;
    });
    const up: Gauge = new Gauge({
      name: 'ies_redis_up',
      help: '1 when the Redis of the queue takes a write of this process within five seconds.',
      registers,
      collect: async () => up.set((await written()) === undefined ? 0 : 1),
    });
    const lastSuccess: Gauge = new Gauge({
      name: 'ies_redis_last_success_timestamp_seconds',
      help: 'When Redis last took such a write; until then, when the process started (Unix time).',
      registers,
      collect: async () => {
        await written();
        lastSuccess.set(lastSuccessMs / 1_000);
      },
    });
  }
}
