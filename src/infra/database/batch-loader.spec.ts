import { describe, expect, it } from 'vitest';
import { BatchLoader } from './batch-loader.js';

/** Queries that finish on request. */
function countingLoader() {
  const statements: { inputs: readonly number[]; answer: () => void; fail: () => void }[] = [];
  const loader = new BatchLoader<number, string>(
    (inputs) =>
      new Promise((resolve, reject) => {
        const answer = () => resolve(inputs.map((input) => `#${input}`));
        statements.push({ inputs, answer, fail: () => reject(new Error('away')) });
      }),
  );
  return { statements, loader };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('BatchLoader', () => {
  it('sends inputs that arrive together in one statement, and answers each separately', async () => {
    const { statements, loader } = countingLoader();
    const answers = [1, 2, 3].map((input) => loader.load(input));
    await turn();
    expect(statements.map(({ inputs }) => inputs)).toEqual([[1, 2, 3]]);
    statements[0]!.answer();
    expect(await Promise.all(answers)).toEqual(['#1', '#2', '#3']);
  });

  it('collects inputs behind two running statements, up to 128 in one', async () => {
    const { statements, loader } = countingLoader();
    const answers: Promise<string>[] = [];
    for (const first of [1, 2]) {
      answers.push(loader.load(first));
      await turn();
    }
    for (let input = 3; input <= 202; input += 1) answers.push(loader.load(input));
    await turn();
    expect(statements).toHaveLength(2);
    statements[0]!.answer();
    await turn();
    expect(statements[2]!.inputs).toHaveLength(128);
    statements[1]!.answer();
    await turn();
    expect(statements[3]!.inputs).toHaveLength(72);
    for (const { answer } of statements.slice(2)) answer();
    expect((await Promise.all(answers)).at(-1)).toBe('#202');
  });

  it('fails only the inputs of a failed statement, and continues', async () => {
    const { statements, loader } = countingLoader();
    const failing = loader.load(1);
    await turn();
    const fine = loader.load(2);
    await turn();
    statements[0]!.fail();
    await expect(failing).rejects.toThrow('away');
    statements[1]!.answer();
    expect(await fine).toBe('#2');
    const later = loader.load(3);
    await turn();
    statements[2]!.answer();
    expect(await later).toBe('#3');
  });
});
