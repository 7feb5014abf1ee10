import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { demoEnvironment } from './demo-environment.js';

const DIST = new URL('../..', import.meta.url);
const LOG = 'service.log';
const LOG_LINES = 15;
/** A connection may be refused before the process is reported as ended. */
const EXIT_DELAY_MS = 1_000;

/** The complete service, as `npm start` runs it, with its own DATA_DIR and port. */
export class DemoService {
  private constructor(
    private readonly child: ChildProcess,
    private readonly environment: Record<string, string>,
    private readonly logPath: string,
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
      if (url !== undefined) return new DemoService(child, environment, logPath, url);
    } catch (error) {
      await end(child);
      throw error;
    }
    throw new Error(`The service did not start:\n${endOf(logPath)}`);
  }

  /** Creates an account with sufficient limits, using the operators' command. */
  async createAccount(): Promise<string> {
    const args = ['account', 'create', 'demo@example.com', '--plan', 'business', '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, [program('main.admin.js'), ...args], {
      env: this.environment,
    });
    return (JSON.parse(stdout) as { key: string }).key;
  }

  /**
   * Replaces an error whose cause is that the service has ended, or no longer answers, by one that says so and shows
   * the end of its log. Other errors stay as they are.
   */
  async explain(error: unknown): Promise<unknown> {
    const isUnanswered = error instanceof TypeError && error.cause instanceof Error;
    if (isUnanswered) await exitWithin(this.child, EXIT_DELAY_MS);
    const { exitCode, signalCode } = this.child;
    const ending = signalCode ?? (exitCode === null ? undefined : `exit code ${exitCode}`);
    if (ending === undefined && !isUnanswered) return error;
    const fact = ending === undefined ? 'no longer answers' : `ended with ${ending}`;
    return new Error(
      `The service ${fact}. The end of its log:\n${endOf(this.logPath)}\nRun "npm run doctor" to see what this machine lacks, such as memory or disk space, then try again.`,
      { cause: error },
    );
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

function endOf(logPath: string): string {
  return readFileSync(logPath, 'utf8').trim().split('\n').slice(-LOG_LINES).join('\n');
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function exitWithin(child: ChildProcess, ms: number): Promise<void> {
  if (!hasEnded(child)) await Promise.race([once(child, 'exit'), sleep(ms)]);
}

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  await new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
