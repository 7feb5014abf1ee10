import { mkdir, symlink } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ROOT } from '../lib/paths.mjs';
import { built } from '../lib/built.mjs';
import { DISK_BYTES, ownDisks } from './servers/own-disks.mjs';
import { PostgresServer } from './servers/postgres-server.mjs';
import { RedisServer } from './servers/redis-server.mjs';
import { RoleProcess } from './processes/role-process.mjs';
import { SmallDisk } from './servers/small-disk.mjs';
import { SupervisedRole } from './processes/supervised-role.mjs';
import { SupervisorProcess } from './processes/supervisor-process.mjs';
import { TcpProxy } from './servers/tcp-proxy.mjs';

const MB = 2 ** 20;
const ROLES = ['api', 'worker', 'dispatcher'];
/**
 * Far longer than the supervisor may take, so that jobs of a dead worker resume in time only because of the supervisor.
 */
const SUPERVISED_LEASE_MS = 60_000;

/** Deviations from the defaults, so that faults are noticed within seconds and none is tolerated. */
const SETTINGS = {
  HOST: '127.0.0.1',
  INFERENCE_DEVICE: 'cpu',
  INFERENCE_STREAMS: '1',
  INFERENCE_THREADS: '1',
  // A starting worker does not measure other precisions first.
  PRECISION: 'float32',
  DISK_RESERVE_BYTES: String(8 * MB),
  JOB_LEASE_MS: '5000',
  SWEEP_INTERVAL_MS: '500',
  // A job may be interrupted often. With this many attempts, repeated kills are no reason to lose it.
  JOB_MAX_ATTEMPTS: '20',
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
  WEBHOOK_TIMEOUT_MS: '2000',
  WEBHOOK_RETRY_DELAYS_MS: ['0', '500', '1000', ...Array.from({ length: 60 }, () => '2000')].join(','),
};

/** Servers, disks, links, and two processes of each role, in one folder. */
export class Fleet {
  links = new Map();
  processes = new Map();
  ports = [];

  constructor({ dir, history, options }) {
    Object.assign(this, { dir, history, options });
    const disks = ownDisks();
    this.dataDir = disks?.data ?? join(dir, 'data');
    this.logsDir = join(dir, 'logs');
    this.modelsDir = join(dir, 'models');
    this.scratchDirs = [disks?.scratch ?? join(dir, 'scratch-1'), join(dir, 'scratch-2')];
  }

  /** Starts everything. Stop what was started with `stop`, even if this method throws. */
  async start() {
    await mkdir(this.logsDir);
    await mkdir(this.modelsDir);
    for (const operation of this.options.operations)
      await symlink(join(ROOT, 'models', operation), join(this.modelsDir, operation));
    await mkdir(this.scratchDirs[1], { mode: 0o755 });
    const isPrepared = ownDisks() !== undefined;
    const disk = (dir, bytes) => (isPrepared ? SmallDisk.prepared(dir) : SmallDisk.mount(dir, bytes));
    this.dataDisk = disk(this.dataDir, DISK_BYTES.data);
    this.scratchDisk = disk(this.scratchDirs[0], DISK_BYTES.scratch);
    this.postgres = await PostgresServer.start(join(this.dir, 'postgres'));
    if (this.options.redis) this.redis = await RedisServer.start();
    const { freePort } = await built('infra/database/embedded/free-port.js');
    this.ports = [await freePort(), await freePort()];
    this.secrets = {
      URL_SIGNING_KEY: randomBytes(24).toString('hex'),
      SEALING_KEY: randomBytes(24).toString('hex'),
    };
    for (const role of ROLES) await this.#addRole(role, 1);
    if (this.options.supervisor) await this.#addSupervisor();
    else for (const role of ROLES) await this.#addRole(role, 2);
    await Promise.all([this.supervisor?.start(), ...this.#own().map((each) => each.start())]);
  }

  get databaseUrl() {
    return this.postgres.databaseUrl;
  }

  process(name) {
    return this.processes.get(name);
  }

  /** URLs of the api processes. */
  get apiUrls() {
    return this.ports.map((port) => `http://127.0.0.1:${port}`);
  }

  /** Every process that this program started directly. */
  get roots() {
    return [this.supervisor, ...this.#own()].filter((each) => each !== undefined);
  }

  /** Stops the role processes like an operator, all at the same time. */
  async drain() {
    await Promise.all(this.roots.map((each) => each.drain()));
  }

  /** Ends and removes everything that is left. Called on every exit path. */
  async stop() {
    await Promise.all(this.roots.map((each) => each.kill()));
    for (const proxy of this.links.values()) await proxy.cut();
    await this.redis?.stop();
    await this.postgres?.stop();
    this.dataDisk?.release();
    this.scratchDisk?.release();
  }

  #own() {
    return [...this.processes.values()].filter((each) => each instanceof RoleProcess);
  }

  async #addRole(role, number) {
    const name = `${role}-${number}`;
    const env = await this.#environment(role, number, name);
    const { logsDir, history } = this;
    this.processes.set(
      name,
      new RoleProcess({ name, role, program: `main.${role}.js`, env, logsDir, history }),
    );
  }

  async #addSupervisor() {
    const env = {
      ...(await this.#environment('worker', 2, 'supervisor')),
      JOB_LEASE_MS: String(SUPERVISED_LEASE_MS),
    };
    const { logsDir, history } = this;
    this.supervisor = new SupervisorProcess({ env, logsDir, history });
    for (const role of ROLES) {
      const supervised = new SupervisedRole({ role, supervisor: this.supervisor, history });
      this.processes.set(supervised.name, supervised);
      for (const server of ['postgres', 'redis']) {
        const shared = this.links.get(`supervisor/${server}`);
        if (shared !== undefined) this.links.set(`${supervised.name}/${server}`, shared);
      }
    }
  }

  async #environment(role, number, name) {
    const { childEnvironment, workerEnvironment } = await built('config/child-environment.js');
    const databaseUrl = new URL(this.databaseUrl);
    databaseUrl.host = `127.0.0.1:${await this.#link(`${name}/postgres`, () => this.postgres.address)}`;
    const redis = this.redis && (await this.#link(`${name}/redis`, () => this.redis.address));
    return (role === 'worker' ? workerEnvironment : childEnvironment)({
      ...SETTINGS,
      ...this.secrets,
      ...(redis === undefined ? {} : { REDIS_URL: `redis://127.0.0.1:${redis}` }),
      DATABASE_URL: databaseUrl.href,
      DATA_DIR: this.dataDir,
      SCRATCH_DIR: this.scratchDirs[number - 1],
      MODELS_DIR: this.modelsDir,
      PORT: String(this.ports[number - 1]),
      PUBLIC_URL: this.apiUrls[0],
    });
  }

  async #link(name, target) {
    const proxy = await TcpProxy.open(target);
    this.links.set(name, proxy);
    return proxy.port;
  }
}
