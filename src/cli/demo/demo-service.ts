import { type ChildProcess, execFile, fork } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { demoEnvironment } from './demo-environment.js';

const DIST = new URL('../..', import.meta.url);
const LOG = 'service.log';

/** The complete service, as `npm start` runs it, with its own DATA_DIR and port. */
export class DemoService {
  private constructor(
    private readonly child: ChildProcess,
    private readonly environment: Record<string, string>,
    /** Address of the API. */
    readonly url: string,
  ) {}

  /**
   * Starts it and waits until every role is ready.
   * @throws Error with the end of its log if it does not start
   */
  static async start(dataDir: string, rootDir: string, signal: AbortSignal): Promise<DemoService> {
    const environment = demoEnvironment(dataDir);
    const logPath = join(dataDir, LOG);
    const log = openSync(logPath, 'a');
    const child = fork(program('main.all.js'), [], {
      env: environment,
      cwd: rootDir,
      execArgv: [],
      // The demo handles Ctrl-C. If it is killed, the service notices the closed channel and exits.
      detached: true,
      stdio: ['ignore', 'pipe', log, 'ipc'],
    });
    closeSync(log);
    try {
      const url = await readyUrl(child, signal);
      if (url !== undefined) return new DemoService(child, environment, url);
    } catch (error) {
      await end(child);
      throw error;
    }
    const lines = readFileSync(logPath, 'utf8').trim().split('\n').slice(-15).join('\n');
    throw new Error(`The service did not start:\n${lines}`);
  }

  /** Creates an account with sufficient limits, using the operators' command. */
  async createAccount(): Promise<string> {
    const args = ['account', 'create', 'demo@example.com', '--plan', 'business', '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, [program('main.admin.js'), ...args], {
      env: this.environment,
    });
    return (JSON.parse(stdout) as { key: string }).key;
  }

  async stop(): Promise<void> {
    await end(this.child);
  }
}

function program(name: string): string {
  return fileURLToPath(new URL(name, DIST));
}

async function readyUrl(child: ChildProcess, signal: AbortSignal): Promise<string | undefined> {
  const lines = createInterface({ input: child.stdout!, signal });
  for await (const line of lines) {
    const match = /^Ready: (\S+)/.exec(line);
    if (match !== null) return match[1];
  }
  signal.throwIfAborted();
  return undefined;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
