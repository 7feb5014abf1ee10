import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readlinkSync, statSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../../src/infra/database/embedded/free-port.js';
import { serverSettings } from '../../../src/infra/database/embedded/server-settings.js';
import { eventually } from '../roles/flow-wait.js';
import { FlowDatabase } from './flow-database.js';
import type { FlowPostgres } from './flow-postgres.js';

/** A hot standby that streams from a primary, like a real replica. */
export class FlowStandby {
  readonly database: FlowDatabase;
  private readonly killNow = () => this.child.kill('SIGKILL');

  private constructor(
    private readonly child: ChildProcess,
    private readonly dir: string,
    readonly databaseUrl: string,
  ) {
    this.database = new FlowDatabase(databaseUrl);
    process.once('exit', this.killNow);
  }

  /** Copies a running primary and follows it. */
  static async follow(primary: FlowPostgres): Promise<FlowStandby> {
    const dir = await mkdtemp(join(tmpdir(), 'ies-standby-'));
    const cluster = join(dir, 'data');
    const from = new URL(primary.databaseUrl);
    const { uid, gid } = await copyCluster(primary.databaseUrl, cluster);
    const source = `host=${from.hostname} port=${from.port} user=${from.username} password=${decodeURIComponent(from.password)}`;
    await writeFile(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
    await writeFile(join(cluster, 'standby.signal'), '');
    await rm(join(cluster, 'postmaster.pid'), { force: true });
    execFileSync('chown', ['-R', `${uid}:${gid}`, cluster]);
    await chmod(dir, 0o755);
    const port = await freePort();
    const program = readlinkSync(`/proc/${primary.pid}/exe`);
    const settings = serverSettings(port, { durable: false });
    const child = spawn(program, ['-D', cluster, ...settings], {
      ...(process.getuid?.() === uid ? {} : { uid, gid }),
      cwd: '/',
      env: {},
      stdio: 'ignore',
    });
    from.port = String(port);
    const standby = new FlowStandby(child, dir, from.href);
    await eventually('the standby to answer', async () => {
      if (child.exitCode !== null) throw new Error(`the standby ended with exit code ${child.exitCode}`);
      const found = await standby.database.rows('SELECT pg_is_in_recovery()').catch(() => undefined);
      return found === undefined ? {} : { found };
    });
    return standby;
  }

  /** Waits until everything that the primary has committed is visible here. */
  async caughtUp(primary: FlowDatabase): Promise<void> {
    const [row] = await primary.rows<{ lsn: string }>('SELECT pg_current_wal_lsn()::text AS lsn');
    await eventually('the standby to catch up', async () => {
      const [seen] = await this.database.rows<{ done: boolean }>(
        'SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS done',
        [row!.lsn],
      );
      return seen!.done ? { found: true } : { seen };
    });
  }

  /** `kill -9` without a restart. */
  async kill(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    if (this.child.exitCode === null && this.child.signalCode === null && this.killNow()) await ended;
  }

  async close(): Promise<void> {
    process.off('exit', this.killNow);
    await this.database.close();
    await this.kill();
    await rm(this.dir, { recursive: true, force: true });
  }
}

/** Makes a base backup of a running server. @returns the owner of its files */
async function copyCluster(databaseUrl: string, to: string): Promise<{ uid: number; gid: number }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
    const { data_directory: from } = rows[0]!;
    await client.query(`SELECT pg_backup_start('standby', true)`);
    execFileSync('cp', ['-a', from, to]);
    const ended = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    await writeFile(join(to, 'backup_label'), ended.rows[0]!.labelfile);
    return statSync(from);
  } finally {
    await client.end();
  }
}
