import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

const allReaders = (): KnownProcess[] =>
  descendantsOf(process.pid).filter(({ command }) => command.startsWith('image decoder'));

/** The processes of this api that read headers. */
const readers = (): KnownProcess[] => allReaders().filter(({ pid }) => !foreign.has(pid));

const upload = async () => harness.upload(account.key, await photo(80, 60, 'jpeg'));

/** Uploads a file whose header reader is stopped, then ended by a signal in the middle of it. */
async function disturbed(signal: NodeJS.Signals) {
  expect((await upload()).status).toBe(201);
  const all = readers();
  for (const { pid } of all) process.kill(pid, 'SIGSTOP');
  const uploaded = upload();
  // Long enough for the request to have reached the process; it cannot answer.
  await new Promise((resolve) => setTimeout(resolve, 500));
  for (const { pid } of all) process.kill(pid, signal);
  if (signal !== 'SIGKILL') for (const { pid } of all) process.kill(pid, 'SIGCONT');
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
