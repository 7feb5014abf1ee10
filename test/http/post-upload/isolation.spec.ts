import { existsSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ImageProcess } from '../../../src/infra/image/process/image-process.js';
import { descendantsOf, type KnownProcess } from '../../support/roles/flow-processes.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { photo } from '../../support/images/images.js';

let harness: Harness;
let account: TestAccount;
/** The readers of other applications in this process, which this spec must not touch. */
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

/** The header readers of this application. */
const readers = (): KnownProcess[] => allReaders().filter(({ pid }) => !foreign.has(pid));

const upload = async () => harness.upload(account.key, await photo(80, 60, 'jpeg'));

const innermostOf = (pid: number): number => {
  const family = new Set([pid, ...descendantsOf(pid).map((below) => below.pid)]);
  return allReaders().find((reader) => family.has(reader.pid))!.pid;
};

/** Uploads a file whose header reader is stopped before it gets the file, and killed before it can answer. */
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

describe.skipIf(process.platform !== 'linux')('the header parsing of POST /api/ai/upload', () => {
  it('refuses only the file that crashes the image library', async () => {
    const { status, body } = await disturbed('SIGSEGV');
    expect({ status, body }).toMatchObject({ status: 422, body: { code: 'undecodable_image' } });
    expect((await upload()).status).toBe(201);
  });

  it('does not blame the file for a process that was killed', async () => {
    expect((await disturbed('SIGKILL')).status).toBe(201);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('finishes when all processes get %s', async (signal) => {
    expect((await disturbed(signal)).status).toBe(201);
  });

  it('handles ten uploads at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, upload));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
  });

  it('runs in processes that hold no secrets', async () => {
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
