import { type ChildProcess, fork } from 'node:child_process';
import type { Role } from '../../../src/roles/role-settings.js';
import { committedModels, USUAL_OPERATIONS } from '../models/committed-models.js';
import { builtProgram, ensureFlowBuild } from './flow-build.js';
import { flowEnvironment, ONE_STREAM, SINGLE_PRECISION } from './flow-environment.js';
import { descendantsOf, isAlive, type KnownProcess, signaled } from './flow-processes.js';
import type { Ending } from './flow-role.js';
import { eventually } from './flow-wait.js';

/** `npm start` without npm: the supervisor with everything that it runs. */
export class FlowSupervisor {
  readonly ended: Promise<Ending>;
  private stdout = '';
  private stderr = '';
  private readonly killAll = () => this.killEverything();

  private constructor(private readonly child: ChildProcess) {
    child.stdout!.setEncoding('utf8').on('data', (chunk: string) => (this.stdout += chunk));
    child.stderr!.setEncoding('utf8').on('data', (chunk: string) => (this.stderr += chunk));
    this.ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }));
    });
    process.once('exit', this.killAll);
  }

  /**
   * Starts it with `USUAL_OPERATIONS` and `upscale`, which keeps a worker busy. The environment is `DATA_DIR`, a
   * free port, and the given variables.
   */
  static async start(dataDir: string, env: Readonly<Record<string, string>> = {}): Promise<FlowSupervisor> {
    await ensureFlowBuild();
    const environment = flowEnvironment({
      DATA_DIR: dataDir,
      PORT: '0',
      JOB_LEASE_MS: '1500',
      SWEEP_INTERVAL_MS: '1000',
      ...ONE_STREAM,
      ...SINGLE_PRECISION,
      MODELS_DIR: await committedModels([...USUAL_OPERATIONS, 'upscale']),
      ...env,
    });
    // It ends when its channel to this process is cut, so that even a killed test leaves nothing behind.
    const child = fork(builtProgram('main.all.js'), [], {
      env: environment,
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    return new FlowSupervisor(child);
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** Everything that it has printed to stderr. */
  get errors(): string {
    return this.stderr;
  }

  /** Everything that it has printed to stdout. */
  get output(): string {
    return this.stdout;
  }

  /** Waits for its first line. @throws Error with its log when it ends earlier */
  async ready(): Promise<string> {
    return eventually('the ready line', () => {
      if (this.child.exitCode !== null) throw new Error(`the supervisor ended:\n${this.stderr}`);
      const [line, ...rest] = this.stdout.split('\n');
      return rest.length > 0 ? { found: line! } : { seen: this.stderr.slice(-2_000) };
    });
  }

  /** Every process below it. */
  processes(): KnownProcess[] {
    return descendantsOf(this.pid);
  }

  /** The process of a role, if it is running. */
  role(role: Role): KnownProcess | undefined {
    return this.processes().find(({ command }) => command.includes(`main.${role}.js`));
  }

  /** Whether a role has logged that it is ready. */
  isReady({ pid }: KnownProcess): boolean {
    return this.stderr
      .split('\n')
      .some((line) => line.includes(`"pid":${pid},`) && line.endsWith('"msg":"ready"}'));
  }

  /** Sends a signal and waits for the end. */
  async end(signal: NodeJS.Signals): Promise<Ending> {
    this.child.kill(signal);
    return this.ended;
  }

  /** For the end of a test, whatever state it left. */
  async close(): Promise<void> {
    process.off('exit', this.killAll);
    this.killEverything();
    await this.ended;
  }

  private killEverything(): void {
    // The supervisor first: it would restart what is killed below it.
    const below = this.processes();
    this.child.kill('SIGKILL');
    for (const known of below) if (isAlive(known)) signaled(known.pid, 'SIGKILL');
  }
}
