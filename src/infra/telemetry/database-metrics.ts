import { setImmediate } from 'node:timers/promises';
import { Gauge } from 'prom-client';
import { clockOffsetMs } from '../database/clock-offset.js';
import type { Database } from '../database/database.js';
import type { Metrics } from './metrics.js';
import { sharedRead } from './shared-read.js';

/** The connections of a process to PostgreSQL, read at each scrape. */
export class DatabaseMetrics {
  constructor({ registry }: Pick<Metrics, 'registry'>, database: Pick<Database, 'query' | 'poolUse'>) {
    const registers = [registry];
    const clock = sharedRead(() => clockOffsetMs(database));
    const up: Gauge = new Gauge({
      name: 'ies_database_up',
      help: '1 when the database answers this process within five seconds.',
      registers,
      collect: async () => up.set((await clock()) === undefined ? 0 : 1),
    });
    const offset: Gauge = new Gauge({
      name: 'ies_clock_offset_seconds',
      help: 'How far the clock of this process is ahead of that of the database; negative if it is behind.',
      registers,
      collect: async () => {
        const offsetMs = await clock();
        if (offsetMs === undefined) offset.remove();
        else offset.set(offsetMs / 1_000);
      },
    });
    const connections: Gauge<'state'> = new Gauge({
      name: 'ies_database_connections',
      help: 'Open connections of the pool, by whether a statement or a transaction has them.',
      labelNames: ['state'],
      registers,
      collect: () => {
        const { open, idle } = database.poolUse();
        connections.set({ state: 'busy' }, open - idle);
        connections.set({ state: 'idle' }, idle);
      },
    });
    const most: Gauge = new Gauge({
      name: 'ies_database_connections_max',
      help: 'Maximum size of the connection pool (DATABASE_POOL_SIZE).',
      registers,
      collect: () => most.set(database.poolUse().most),
    });
    const waiting: Gauge = new Gauge({
      name: 'ies_database_requests_waiting',
      help: 'Statements and transactions that wait for a connection of the pool.',
      registers,
      collect: async () => {
        // Those that find an idle connection get it within this turn of the event loop, for example those of a scrape.
        await setImmediate();
        waiting.set(database.poolUse().waiting);
      },
    });
  }
}
