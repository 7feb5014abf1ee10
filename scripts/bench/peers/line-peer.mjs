import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/**
 * A program that reads a JSON line for each task and answers one for it. The first line that it writes says that it is
 * ready; `{"error": …}` ends the bench.
 */
export class LinePeer {
  #child;
  #answers;

  /** @throws Error when the program ends before it is ready */
  static async start(program, args) {
    const peer = new LinePeer();
    peer.#child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    peer.#answers = createInterface({ input: peer.#child.stdout })[Symbol.asyncIterator]();
    await peer.#answer(`${program} ${args.join(' ')}`);
    return peer;
  }

  get pids() {
    return [this.#child.pid];
  }

  /** Sends one task; answers what the program says of it. */
  async ask(task) {
    this.#child.stdin.write(`${JSON.stringify(task)}\n`);
    return this.#answer(JSON.stringify(task));
  }

  close() {
    this.#child.kill('SIGKILL');
  }

  async #answer(asked) {
    const { value, done } = await this.#answers.next();
    if (done) throw new Error(`the program ended: ${asked}`);
    const answer = JSON.parse(value);
    if (answer.error !== undefined) throw new Error(`${asked}: ${answer.error}`);
    return answer;
  }
}
