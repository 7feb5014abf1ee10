import pg from 'pg';

/** Runs `work` on a separate connection, and then closes it. @throws errors of the driver and of `work` */
export async function withClient<T>(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(config);
  // Errors of the connection are ignored here: the failed statement reports the error to the caller.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
