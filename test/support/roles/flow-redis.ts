import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { Redis } from 'ioredis';
import { freePort } from '../../../src/infra/database/embedded/free-port.js';
import { eventually } from './flow-wait.js';

/** Whether this machine has a Redis to test with. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

export interface FlowRedisOptions {
  /** Default: any free port. */
  readonly port?: number;
  /** Default: none. */
  readonly password?: string;
  /** Whether its memory is full, so that it refuses to write. Default false. */
  readonly isFull?: boolean;
}

/** A separate Redis, which keeps nothing on disk. */
export class FlowRedis {
  private readonly killNow = () => this.child.kill('SIGKILL');

  private constructor(
    private readonly child: ChildProcess,
    readonly redisUrl: string,
  ) {
    process.once('exit', this.killNow);
  }

  static async start({ port, password = '', isFull = false }: FlowRedisOptions = {}): Promise<FlowRedis> {
    port ??= await freePort();
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    if (password !== '') options.push('--requirepass', password);
    if (isFull) options.push('--maxmemory', '1', '--maxmemory-policy', 'noeviction');
    const child = spawn('redis-server', options, { stdio: 'ignore', cwd: '/' });
    const redis = new FlowRedis(child, `redis://127.0.0.1:${port}`);
    await eventually('Redis to listen', async () => ((await listens(port)) ? { found: true } : {}));
    return redis;
  }

  /** What `INFO` says. */
  async info(): Promise<string> {
    const redis = new Redis(this.redisUrl);
    try {
      return await redis.info();
    } finally {
      redis.disconnect();
    }
  }

  async close(): Promise<void> {
    process.off('exit', this.killNow);
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.killNow();
    await ended;
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
