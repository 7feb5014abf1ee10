import { describe, expect, it } from 'vitest';
import { type FleetWorker, mayExit } from './exit-turn.js';

const UPSCALE = 'upscale/low/2/false';
const ENHANCE = 'auto_enhance/low/1/false';
const at = (second: number): Date => new Date(second * 1_000);

const serving = (id: string, startedAt = 0, kinds: readonly string[] = [UPSCALE]): FleetWorker => ({
  id,
  kinds,
  state: 'serving',
  alive: true,
  startedAt: at(startedAt),
  leftAt: null,
});
const left = (id: string, leftAt: number, startedAt = 0, kinds = [UPSCALE]): FleetWorker => ({
  ...serving(id, startedAt, kinds),
  state: 'draining',
  leftAt: at(leftAt),
});

describe('mayExit', () => {
  it.each<[string, boolean, FleetWorker[]]>([
    ['the only worker', true, [serving('me')]],
    ['one of two', true, [serving('me'), serving('b')]],
    ['one of two whose other one is away', false, [serving('me'), left('b', 100)]],
    ['one of two whose other one was replaced', true, [serving('me'), left('b', 100), serving('b2', 160)]],
    ['one that was replaced itself', true, [serving('me', 160), left('me1', 100), serving('b')]],
    ['one of four that all serve', true, [serving('me'), serving('b'), serving('c'), serving('d')]],
    ['one of four of which one is away', false, [serving('me'), serving('b'), serving('c'), left('d', 100)]],
    [
      'one of five of which one is away',
      true,
      [serving('me'), serving('b'), serving('c'), serving('d'), left('e', 100)],
    ],
    [
      'one of four whose newest worker started before another one left',
      false,
      [serving('me'), serving('b'), serving('c', 50), left('d', 100)],
    ],
    [
      'one of two whose other one left, was replaced, and left again',
      false,
      [serving('me'), left('b', 100), left('b2', 300, 160)],
    ],
    [
      'one of two whose other one left twice and is back',
      true,
      [serving('me'), left('b', 100), left('b2', 300, 160), serving('b3', 360)],
    ],
    [
      'one of two whose successor died',
      false,
      [serving('me'), left('b', 100), { ...serving('b2', 160), alive: false }],
    ],
    [
      'the only one for an operation',
      true,
      [serving('me', 0, [UPSCALE, ENHANCE]), serving('b', 0, [ENHANCE]), serving('c', 0, [ENHANCE])],
    ],
    [
      'one whose only peer for an operation is away',
      false,
      [
        serving('me', 0, [UPSCALE, ENHANCE]),
        left('b', 100, 0, [UPSCALE, ENHANCE]),
        ...['c', 'd', 'e', 'f', 'g', 'h'].map((id) => serving(id, 0, [ENHANCE])),
      ],
    ],
    [
      'one that alone has a pinned version',
      true,
      [serving('me', 0, [UPSCALE, `${UPSCALE}@1`]), serving('b'), left('c', 100, 0, [`${UPSCALE}@1`])],
    ],
    ['beside a worker of an older version', true, [serving('me'), serving('b', 0, [])]],
    ['one that takes no jobs', true, [left('me', 100), serving('b')]],
    ['one that is not known', true, [left('b', 100)]],
  ])('%s: %s', (_, expected, fleet) => {
    expect(mayExit('me', fleet)).toBe(expected);
  });
});
