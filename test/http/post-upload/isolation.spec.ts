import { existsSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ImageProcess } from '../../../src/infra/image/process/image-process.js';
import { descendantsOf, type KnownProcess } from '../../support/roles/flow-processes.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { photo } from '../../support/images/images.js';

let harness: Harness;
let account: TestAccount;
/** Readers of other applications in this process, which this spec leaves alone. */
let foreign: ReadonlySet<number>;
beforeAll(async () => {
  foreign = new Set(allReaders().map(({ pid }) => pid));
  harness = await startHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());
afterEach(() => {
  vi.restoreAllMocks();
});

const allReaders = (): KnownProcess[] =>
  descendantsOf(process.pid).filter(({ command }) => command.startsWith('image decoder'));

/** The processes of this api that read headers. */
const readers = (): KnownProcess[] => allReaders().filter(({ pid }) => !foreign.has(pid));

const upload = async () => harness.upload(account.key, await photo(80, 60, 'jpeg'));

const innermostOf = (pid: number): number => {
  const family = new Set([pid, ...descendantsOf(pid).map((below) => below.pid)]);
  return allReaders().find((reader) => family.has(reader.pid))!.pid;
};

/** Uploads a file whose header reader is stopped, given the file, and ended by a signal before it can answer. */
async function disturbed(signal: NodeJS.Signals) {
  // eslint-disable-next-line typescript/unbound-method -- applied to the process that was asked
  const given = ImageProcess.prototype.ask;
  const asked = vi.spyOn(ImageProcess.prototype, 'ask');
  asked.mockImplementationOnce(async function disturb(this: ImageProcess, ...order) {
    const pid = innermostOf(this.pid!);
    process.kill(pid, 'SIGSTOP');
    const answer = given.apply(this, order);
    process.kill(pid, signal);
    if (signal !== 'SIGKILL') process.kill(pid, 'SIGCONT');
    return answer;
  });
  const uploaded = await upload();
  expect(asked).toHaveBeenCalledTimes(signal === 'SIGKILL' ? 2 : 1);
  return uploaded;
}

describe.skipIf(process.platform !== 'linux')('POST /api/ai/upload, header parsing', () => {
  it('a crash of the image library refuses that file alone', async () => {
    const { status, body } = await disturbed('SIGSEGV');
    expect({ status, body }).toMatchObject({ status: 422, body: { code: 'undecodable_image' } });
    expect((await upload()).status).toBe(201);
  });

  it('a process that somebody killed is no fault of the file', async () => {
    expect((await disturbed('SIGKILL')).status).toBe(201);
  });

  it('ten at once are all answered', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, upload));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
  });

  it('happens in processes that hold no secret', async () => {
    expect((await upload()).status).toBe(201);
    const found = await eventually('a reader', () => {
      const [first] = readers();
      return first === undefined ? { seen: [] } : { found: first };
    });
    expect(existsSync(`/proc/${found.pid}`)).toBe(true);
    const environment = readFileSync(`/proc/${found.pid}/environ`, 'latin1');
    expect(environment).not.toMatch(/KEY|DATABASE|TOKEN|SECRET/);
    expect(readFileSync(`/proc/${found.pid}/status`, 'latin1')).toMatch(/^NoNewPrivs:\s+1$/m);
  });
});
