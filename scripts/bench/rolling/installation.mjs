import { randomBytes } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createAccount } from '../../chaos/load/account.mjs';
import { built } from '../../lib/built.mjs';
import { PostgresServer } from '../../chaos/servers/postgres-server.mjs';
import { RedisServer } from '../../chaos/servers/redis-server.mjs';
import { RoleProcess } from '../../chaos/processes/role-process.mjs';
import { Bucket } from './bucket.mjs';
import { LoadBalancer } from './load-balancer.mjs';
import { OPERATIONS } from './steady-jobs.mjs';

const ROLES = ['api', 'dispatcher', 'worker'];

/**
 * PostgreSQL, Redis if it is installed, an S3 server, and several processes of each role. Processes share no folders,
 * and each starts with an empty one, like a container without volumes.
 */
export class Installation {
  #number = 0;
  #processes = [];
  /** Exit codes of processes that were told to exit. */
  exitCodes = [];

  /** @param {number} processes of each role */
  constructor(dir, processes) {
    Object.assign(this, { dir, processes });
  }

  /** Stop everything that was started with `stop`, even if this method throws. */
  async start() {
    for (const name of ['logs', 's3']) await mkdir(join(this.dir, name));
    this.balancer = await LoadBalancer.open();
    this.postgres = await PostgresServer.start(join(this.dir, 'postgres'));
    if (spawnSync('redis-server', ['--version']).status === 0) this.redis = await RedisServer.start();
    this.bucket = await Bucket.start(join(this.dir, 's3'), OPERATIONS);
    const key = () => randomBytes(24).toString('hex');
    this.secrets = { URL_SIGNING_KEY: key(), SEALING_KEY: key() };
    const roles = Array.from({ length: this.processes }, () => ROLES).flat();
    await Promise.all(roles.map((role) => this.#add(role)));
  }

  get baseUrl() {
    return `http://127.0.0.1:${this.balancer.port}`;
  }

  createAccount() {
    return createAccount(this.postgres.databaseUrl, 'rolling');
  }

  /** Replaces each process of each role. The new process is ready before the old one is told to exit. */
  async restart(say) {
    for (const role of ROLES) {
      for (const old of this.#processes.filter((each) => each.role === role)) {
        const startedMs = performance.now();
        await this.#add(role);
        await this.#end(old);
        say(`${role} ${old.name} replaced in ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
      }
    }
  }

  async stop() {
    await Promise.all(this.#processes.map((each) => each.kill()));
    await this.balancer?.close();
    await this.redis?.stop();
    this.bucket?.stop();
    await this.postgres?.stop();
  }

  async #add(role) {
    const { freePort } = await built('infra/database/embedded/free-port.js');
    this.#number += 1;
    const name = `${role}-${this.#number}`;
    const port = await freePort();
    const env = await this.#environment(role, name, port);
    const history = { add: (_, { event, code }) => event === 'drained' && this.exitCodes.push(code) };
    const logsDir = join(this.dir, 'logs');
    const added = new RoleProcess({ name, role, program: `main.${role}.js`, env, logsDir, history });
    Object.assign(added, { port, dataDir: env.DATA_DIR });
    this.#processes.push(added);
    if (role === 'api') this.balancer.add(port);
    await added.start();
  }

  async #end(process) {
    await process.drain();
    this.balancer.remove(process.port);
    this.#processes = this.#processes.filter((each) => each !== process);
    await rm(process.dataDir, { recursive: true, force: true });
  }

  async #environment(role, name, port) {
    const { childEnvironment, workerEnvironment } = await built('config/child-environment.js');
    return (role === 'worker' ? workerEnvironment : childEnvironment)({
      ...this.bucket.environment,
      ...this.secrets,
      ...(this.redis === undefined ? {} : { REDIS_URL: `redis://127.0.0.1:${this.redis.port}` }),
      DATABASE_URL: this.postgres.databaseUrl,
      DATA_DIR: join(this.dir, name),
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: this.baseUrl,
      // The load balancer checks five times a second.
      SHUTDOWN_DELAY_MS: '2000',
      INFERENCE_DEVICE: 'cpu',
      INFERENCE_STREAMS: '1',
      // A starting worker does not measure other precisions first.
      PRECISION: 'float32',
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
    });
  }
}
