import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { AdminOutcome } from '../roles/admin-command.js';

const PROGRAM = fileURLToPath(new URL('admin-commands.mjs', import.meta.url));
const END = '\0';
const END_LIMIT_MS = 10_000;

/** Runs many commands of the compiled `npm run admin` in one process, at a quarter of the CPU time of one for each. */
export class AdminCommands {
  private constructor(private readonly child: ChildProcess) {}

  static start(env: NodeJS.ProcessEnv): AdminCommands {
    const child = fork(PROGRAM, [], { env, execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    for (const stream of [child.stdout!, child.stderr!]) stream.setEncoding('utf8');
    return new AdminCommands(child);
  }

  /** @throws Error when the process ends meanwhile */
  async run(words: readonly string[]): Promise<AdminOutcome> {
    const { child } = this;
    const outcome = Promise.all([once(child, 'message'), untilEnd(child.stdout!), untilEnd(child.stderr!)]);
    const stopped = new AbortController();
    const exit = once(child, 'exit', { signal: stopped.signal }).then(() => {
      throw new Error(`The process of the commands ended during "${words.join(' ')}".`);
    });
    child.send(words);
    try {
      const [[code], stdout, stderr] = await Promise.race([outcome, exit]);
      return { code: code as number, output: stdout + stderr };
    } finally {
      exit.catch(() => undefined);
      stopped.abort();
    }
  }

  /** @returns its exit code. It ends by itself, unless a command left something open: then the result is null. */
  async close(): Promise<number | null> {
    const timer = setTimeout(() => this.child.kill('SIGKILL'), END_LIMIT_MS);
    const exit = once(this.child, 'exit');
    this.child.disconnect();
    const [code] = (await exit) as [number | null];
    clearTimeout(timer);
    return code;
  }
}

/** The output of one command in one stream. */
function untilEnd(stream: Readable): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const keep = (chunk: string): void => {
      text += chunk;
      if (!text.endsWith(END)) return;
      stream.off('data', keep);
      resolve(text.slice(0, -END.length));
    };
    stream.on('data', keep);
  });
}
