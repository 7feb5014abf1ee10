import { describe, expect, it } from 'vitest';
import { type Candidate, choose, type Reading, readingOptions } from './candidates.js';

const BOUNDS = { same: 2, share: 0.3, more: 0.5 };
const candidate = (error: number, value: number, fault: string | null = null): Candidate => ({
  reading: { input: { channels: 'RGB', range: [0, value] }, output: { meaning: 'image', range: [0, 1] } },
  error,
  fault,
  results: [Float32Array.of(value, value)],
});

describe('choose', () => {
  it('chooses the best candidate when the next one is clearly worse', () => {
    const best = candidate(2, 10);
    expect(choose([candidate(9, 90), best], BOUNDS)).toEqual({ kind: 'clear', best, alike: 1 });
  });

  it('treats readings with the same results as one, and chooses the first of them', () => {
    const first = candidate(2.1, 10);
    expect(choose([first, candidate(2, 10.5)], BOUNDS)).toEqual({
      kind: 'clear',
      best: first,
      alike: 2,
    });
  });

  it('does not choose between similar errors with different results', () => {
    const [a, b] = [candidate(2, 10), candidate(2.2, 40)];
    expect(choose([b, a], BOUNDS)).toEqual({ kind: 'unclear', candidates: [a, b] });
  });

  it('never chooses a candidate with a fault', () => {
    const faulty = candidate(0, 10, 'is the plain enlargement');
    expect(choose([faulty], BOUNDS)).toEqual({ kind: 'unclear', candidates: [faulty] });
    const other = candidate(5, 60);
    expect(choose([faulty, other], BOUNDS)).toEqual({
      kind: 'clear',
      best: other,
      alike: 1,
    });
  });
});

describe('readingOptions', () => {
  const input = { channels: 'BGR', range: [-1, 1] } as const;
  it.each<[Reading['output'], string]>([
    [
      { meaning: 'image', range: [-1, 1], channels: 'RGB' },
      '--meaning image --output-range -1,1 --output-channels RGB',
    ],
    [{ meaning: 'alpha', range: [0, 1] }, '--meaning alpha'],
    [{ meaning: 'alpha', range: [0, 255] }, '--meaning alpha --output-range 0,255'],
    [{ meaning: 'logits', range: [0, 1], activation: 'sigmoid' }, '--meaning logits'],
  ])('names everything that selects %j', (output, options) => {
    expect(readingOptions({ input, output })).toBe(`--range -1,1 --channels BGR ${options}`);
  });
});
