import { type ChildProcess, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { eventually } from './flow-wait.js';

/** A program that listens on a port, as a person starts it in a shell. */
export class ListeningProgram {
  private text = '';
  private errorText = '';

  /** Resolves when the program has exited, for whatever reason. */
  readonly ended: Promise<void>;

  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {
    this.ended = new Promise((resolve) => void child.once('exit', () => resolve()));
    child.stdout!.setEncoding('utf8').on('data', (chunk: string) => (this.text += chunk));
    child.stderr!.setEncoding('utf8').on('data', (chunk: string) => (this.errorText += chunk));
  }

  /** Starts it and waits until the port accepts connections. */
  static async start(
    command: readonly string[],
    options: { port: number; env?: Record<string, string>; cwd?: string },
  ): Promise<ListeningProgram> {
    const [program, ...args] = command;
    const child = spawn(program!, args, {
      cwd: options.cwd,
      env: { ...options.env, PATH: process.env['PATH'], PORT: String(options.port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const started = new ListeningProgram(child, `http://127.0.0.1:${options.port}`);
    try {
      await eventually(`${command.join(' ')} to listen`, async () => {
        if (child.exitCode !== null) throw new Error(`it ended:\n${started.errors}`);
        return (await takesConnections(options.port)) ? { found: true } : { seen: started.errors };
      });
    } catch (error) {
      await started.close();
      throw error;
    }
    return started;
  }

  /** All that it has written to stderr. */
  get errors(): string {
    return this.errorText;
  }

  /** All that it has written to stdout. */
  get output(): string {
    return this.text;
  }

  async close(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGKILL');
    await this.ended;
  }
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
