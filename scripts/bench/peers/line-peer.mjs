import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/**
 * A program that reads one line of JSON for each task and responds with one line. Its first line reports that it is
 * ready. `{"error": …}` fails the task. The program ends when its standard input closes, so it also ends if the
 * benchmark is killed.
 */
export class LinePeer {
  #child;
  #answers;

  /** @throws Error when the program does not start, or ends before it is ready */
  static async start(program, args) {
    const peer = new LinePeer();
    peer.#child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    peer.#answers = createInterface({ input: peer.#child.stdout })[Symbol.asyncIterator]();
    // A failed program gives no response, which `#answer` reports.
    for (const source of [peer.#child, peer.#child.stdin]) source.on('error', () => undefined);
    try {
      await peer.#answer(`${program} ${args.join(' ')}`);
    } catch (error) {
      peer.close();
      throw error;
    }
    return peer;
  }

  get pids() {
    return [this.#child.pid];
  }

  /** Sends one task. @returns the program's response */
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
