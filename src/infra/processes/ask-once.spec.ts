import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askOnce } from './ask-once.js';

/** Allocates as much memory as it is asked for. Answers with its score for the out-of-memory killer, or an error. */
const PROGRAM = `
import { readFileSync } from 'node:fs';
process.on('message', ({ bytes }) => {
  try {
    Buffer.alloc(bytes, 1);
    process.send({ score: readFileSync('/proc/self/oom_score_adj', 'utf8').trim() });
  } catch (error) {
    process.send({ error: String(error) });
  }
});
`;

describe.skipIf(process.platform !== 'linux')('askOnce', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ies-ask-once-'));
    await writeFile(join(folder, 'program.mjs'), PROGRAM);
  });
  afterAll(() => rm(folder, { recursive: true }));

  const ask = (bytes: number, memoryLimitBytes?: number) =>
    askOnce(
      join(folder, 'program.mjs'),
      { bytes },
      { env: process.env, limitMs: 60_000, signal: new AbortController().signal, memoryLimitBytes },
    );

  it('limits the memory of the process, which the kernel kills first', async () => {
    const answer = { score: '1000' };
    expect(await ask(1_000, 1e9)).toEqual({ kind: 'answered', answer });
    const { answer: refused } = (await ask(1.2e9, 1e9)) as { answer: unknown };
    expect(refused).toEqual({ error: expect.stringContaining('allocation failed') });
  });

  it('has no limit without one', async () => {
    expect(await ask(1.2e9)).toMatchObject({ kind: 'answered', answer: { score: expect.any(String) } });
  });
});
