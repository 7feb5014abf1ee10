import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../../src/infra/database/embedded/free-port.js';
import { isRoot, postgresIdentity } from '../../../src/infra/database/embedded/server-identity.js';
import { eventually } from '../roles/flow-wait.js';

// Servers are in sbin, which the PATH of an ordinary user lacks.
const ENVIRONMENT = { PATH: [process.env['PATH'], '/usr/sbin', '/sbin'].join(delimiter) };

/** For example `[1, 18]`; undefined if PgBouncer is not installed. */
export const pgBouncerVersion = installedVersion();

/** The first version that tracks prepared statements in transaction mode. */
const PREPARED_SINCE = 21;

export const tracksPreparedStatements =
  pgBouncerVersion !== undefined && (pgBouncerVersion[0] > 1 || pgBouncerVersion[1] >= PREPARED_SINCE);

/** A PgBouncer in transaction mode with few server connections, in front of a database. */
export class FlowPgBouncer {
  private readonly killNow = () => this.child.kill('SIGKILL');

  private constructor(
    private readonly child: ChildProcess,
    private readonly dir: string,
    readonly databaseUrl: string,
  ) {
    process.once('exit', this.killNow);
  }

  /**
   * @param databaseUrl the database behind it
   * @param settings of the section `pgbouncer`, in addition to those that every test needs
   */
  static async start(
    databaseUrl: string,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<FlowPgBouncer> {
    const { hostname, port, username, password, pathname } = new URL(databaseUrl);
    const name = pathname.slice(1);
    const dir = await mkdtemp(join(tmpdir(), 'ies-pgbouncer-'));
    const listenPort = await freePort();
    const file = join(dir, 'pgbouncer.ini');
    const section = {
      listen_addr: '127.0.0.1',
      listen_port: String(listenPort),
      unix_socket_dir: '',
      auth_type: 'any',
      pool_mode: 'transaction',
      default_pool_size: '6',
      max_client_conn: '500',
      ...settings,
    };
    const lines = Object.entries(section).map(([key, value]) => `${key} = ${value}`);
    await writeFile(
      file,
      `[databases]\n${name} = host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}\n[pgbouncer]\n${lines.join('\n')}\n`,
    );
    await chmod(dir, 0o755);
    const identity = isRoot() ? postgresIdentity(QUIET) : undefined;
    const child = spawn('pgbouncer', [file], { ...identity, env: ENVIRONMENT, cwd: '/', stdio: 'ignore' });
    const bouncer = new FlowPgBouncer(child, dir, `postgres://service@127.0.0.1:${listenPort}/${name}`);
    await eventually('PgBouncer to answer', async () => {
      if (child.exitCode !== null) throw new Error(`PgBouncer ended with exit code ${child.exitCode}`);
      return (await bouncer.answers()) ? { found: true } : {};
    });
    return bouncer;
  }

  async close(): Promise<void> {
    process.off('exit', this.killNow);
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    if (this.child.exitCode === null && this.killNow()) await ended;
    await rm(this.dir, { recursive: true, force: true });
  }

  private async answers(): Promise<boolean> {
    const client = new pg.Client({ connectionString: this.databaseUrl, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('SELECT 1');
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };

function installedVersion(): readonly [number, number] | undefined {
  const { stdout } = spawnSync('pgbouncer', ['--version'], { env: ENVIRONMENT, encoding: 'utf8' });
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(stdout ?? '') ?? [];
  return major === undefined ? undefined : [Number(major), Number(minor)];
}
