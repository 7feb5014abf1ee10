import type { Pool, PoolClient } from 'pg';
import type { DataSource } from 'typeorm';

/**
 * Keeps a process alive when a connection breaks during a transaction. The failing statement reports the error to the
 * transaction. The client's `error` event would additionally end the process, because the pool listens for it only
 * while a connection is idle.
 */
export function ignoreConnectionErrors(dataSource: DataSource): void {
  // TypeORM's PostgreSQL driver documents `master` as its pg pool.
  const pool = (dataSource.driver as unknown as { master: Pool }).master;
  const ignore = () => undefined;
  pool.on('acquire', (client: PoolClient) => client.on('error', ignore));
  pool.on('release', (_error: Error, client: PoolClient) => client.off('error', ignore));
}
