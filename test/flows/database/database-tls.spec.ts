import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseAddress } from '../../../src/config/variables/database-address.js';
import { createDataSource } from '../../../src/infra/database/data-source.js';
import { isRoot, postgresIdentity } from '../../../src/infra/database/embedded/server-identity.js';
import { FlowDatabase } from '../../support/database/flow-database.js';
import { FlowPostgres } from '../../support/database/flow-postgres.js';
import { hasOpenssl, TlsFiles } from '../../support/database/tls-files.js';
import { solidFile } from '../../support/images/flow-drawn.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';

const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The certificate names `localhost`, but not its address. */
const CERTIFIED = 'localhost';
const UNCERTIFIED = '127.0.0.1';

describe.skipIf(!hasOpenssl)('TLS to PostgreSQL (needs openssl)', () => {
  let postgres: FlowPostgres;
  let server: TlsFiles;
  let stranger: TlsFiles;

  beforeAll(async () => {
    const owner = isRoot() ? postgresIdentity(QUIET) : undefined;
    [postgres, server, stranger] = await Promise.all([
      FlowPostgres.start(),
      TlsFiles.make(CERTIFIED, owner),
      TlsFiles.make(CERTIFIED),
    ]);
    const database = new FlowDatabase(postgres.databaseUrl);
    try {
      await database.rows(`ALTER SYSTEM SET ssl_cert_file = '${server.certificate}'`);
      await database.rows(`ALTER SYSTEM SET ssl_key_file = '${server.key}'`);
      await database.rows('ALTER SYSTEM SET ssl = on');
      await database.rows('SELECT pg_reload_conf()');
      await eventually('PostgreSQL to speak TLS', async () => {
        const [row] = await database.rows<{ ssl: string }>('SHOW ssl');
        return row?.ssl === 'on' ? { found: true } : { seen: row };
      });
    } finally {
      await database.close();
    }
  });
  afterAll(async () => {
    await postgres?.close();
    await server?.remove();
    await stranger?.remove();
  });

  /** The database URL as an operator would write it. */
  function addressOf(host: string, parameters: Readonly<Record<string, string>>): string {
    const url = new URL(postgres.databaseUrl);
    url.hostname = host;
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url.href;
  }

  /** Whether the service encrypts its connection. @throws what connecting throws */
  async function isEncrypted(host: string, parameters: Readonly<Record<string, string>>): Promise<boolean> {
    const databaseUrl = databaseAddress('DATABASE_URL', { text: '' }).read(addressOf(host, parameters))!;
    const dataSource = createDataSource({ databaseUrl, poolSize: 1, applicationName: 'test' });
    await dataSource.initialize();
    try {
      const [row] = await dataSource.query<{ ssl: boolean }[]>(
        'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
      );
      return row!.ssl;
    } finally {
      await dataSource.destroy();
    }
  }

  it('is off without sslmode, or with "disable"', async () => {
    expect(await isEncrypted(CERTIFIED, {})).toBe(false);
    expect(await isEncrypted(CERTIFIED, { sslmode: 'disable' })).toBe(false);
  });

  it('encrypts with "require" but verifies nothing', async () => {
    expect(await isEncrypted(UNCERTIFIED, { sslmode: 'require' })).toBe(true);
  });

  it('verifies the authority with "verify-ca", or with "require" and a root certificate', async () => {
    for (const sslmode of ['verify-ca', 'require']) {
      expect(await isEncrypted(UNCERTIFIED, { sslmode, sslrootcert: server.authority })).toBe(true);
      const wrong = { sslmode, sslrootcert: stranger.authority };
      await expect(isEncrypted(UNCERTIFIED, wrong)).rejects.toThrow(/certificate|issuer/);
    }
  });

  it('also verifies the host name with "verify-full"', async () => {
    const full = { sslmode: 'verify-full', sslrootcert: server.authority };
    expect(await isEncrypted(CERTIFIED, full)).toBe(true);
    await expect(isEncrypted(UNCERTIFIED, full)).rejects.toThrow(/does not match certificate|altnames/i);
    const wrong = { sslmode: 'verify-full', sslrootcert: stranger.authority };
    await expect(isEncrypted(CERTIFIED, wrong)).rejects.toThrow(/certificate|issuer/);
    await expect(isEncrypted(CERTIFIED, { sslmode: 'verify-full' })).rejects.toThrow(/certificate|issuer/);
  });

  it('encrypts every connection of every role, including the queue and notifications', async () => {
    const full = { sslmode: 'verify-full', sslrootcert: server.authority };
    const service = await FlowService.start({
      databaseUrl: addressOf(UNCERTIFIED, { application_name: 'observer' }),
      env: { DATABASE_URL: addressOf(CERTIFIED, full) },
    });
    try {
      const client = await service.client();
      await client.enhance(await solidFile(16, 16, [90, 80, 70]), { operation: 'smooth_skin' });
      const plain = await service.database.rows(
        `SELECT application_name AS name FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
          WHERE datname = current_database() AND application_name <> 'observer' AND NOT ssl`,
      );
      expect(plain).toEqual([]);
      const [roles] = await service.database.rows<{ count: number }>(
        `SELECT count(DISTINCT application_name)::int AS count FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
          WHERE ssl AND application_name IN ('ies-api', 'ies-api-listen', 'ies-worker', 'ies-dispatcher')`,
      );
      expect(roles).toEqual({ count: 4 });
    } finally {
      await service.close();
    }
  });
});
