import { describe, expect, it } from 'vitest';
import { Coalesced } from './coalesced.js';

/** Statements that end when the test says so. */
function statements() {
  const asked: { inputs: readonly number[]; answer: () => void; fail: () => void }[] = [];
  const coalesced = new Coalesced<number, string>(
    (inputs) =>
      new Promise((resolve, reject) => {
        const answer = () => resolve(inputs.map((input) => `#${input}`));
        asked.push({ inputs, answer, fail: () => reject(new Error('away')) });
      }),
  );
  return { asked, coalesced };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('coalesced questions', () => {
  it('asks at once what arrived together, and answers each its own', async () => {
    const { asked, coalesced } = statements();
    const answers = [1, 2, 3].map((input) => coalesced.ask(input));
    await turn();
    expect(asked.map(({ inputs }) => inputs)).toEqual([[1, 2, 3]]);
    asked[0]!.answer();
    expect(await Promise.all(answers)).toEqual(['#1', '#2', '#3']);
  });

  it('collects behind two running statements, up to 128 in one', async () => {
    const { asked, coalesced } = statements();
    const answers: Promise<string>[] = [];
    for (const first of [1, 2]) {
      answers.push(coalesced.ask(first));
      await turn();
    }
    for (let input = 3; input <= 202; input += 1) answers.push(coalesced.ask(input));
    await turn();
    expect(asked).toHaveLength(2);
    asked[0]!.answer();
    await turn();
    expect(asked[2]!.inputs).toHaveLength(128);
    asked[1]!.answer();
    await turn();
    expect(asked[3]!.inputs).toHaveLength(72);
    for (const { answer } of asked.slice(2)) answer();
    expect((await Promise.all(answers)).at(-1)).toBe('#202');
  });

  it('fails those of a failed statement only, and goes on', async () => {
    const { asked, coalesced } = statements();
    const failing = coalesced.ask(1);
    await turn();
    const fine = coalesced.ask(2);
    await turn();
    asked[0]!.fail();
    await expect(failing).rejects.toThrow('away');
    asked[1]!.answer();
    expect(await fine).toBe('#2');
    const later = coalesced.ask(3);
    await turn();
    asked[2]!.answer();
    expect(await later).toBe('#3');
  });
});
