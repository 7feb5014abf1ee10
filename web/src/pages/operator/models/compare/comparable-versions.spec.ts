import { describe, expect, it } from 'vitest';
import type { ConsoleOperation, ConsoleVersion } from '../../../../api/operator/schema.js';
import { comparableVersions, suggestedVersions } from './comparable-versions.js';

const version = (number: number, canServe = true): ConsoleVersion => ({
  version: String(number),
  state: 'idle',
  model: null,
  sha256: null,
  canServe,
  workers: [],
  reasons: [],
});
const operation = (
  versions: readonly ConsoleVersion[],
  serving: Partial<Pick<ConsoleOperation, 'chosen' | 'offered'>> = {},
) => ({ versions: [...versions], chosen: null, offered: null, ...serving });
const NOBODY = { a: null, b: null };

describe('comparableVersions', () => {
  it('leaves out versions that no worker can run', () => {
    expect(comparableVersions(operation([version(3), version(2, false), version(1)]))).toEqual([3, 1]);
  });
});

describe('suggestedVersions', () => {
  const three = [version(3), version(2), version(1)];

  it('is the serving version, and the highest other one', () => {
    expect(suggestedVersions(operation(three, { offered: 3 }), NOBODY)).toEqual({ a: 3, b: 2 });
    expect(suggestedVersions(operation(three, { offered: 3, chosen: 1 }), NOBODY)).toEqual({ a: 1, b: 3 });
    expect(suggestedVersions(operation(three), NOBODY)).toEqual({ a: 3, b: 2 });
  });

  it('is the pair in the URL, as far as the versions exist', () => {
    const served = operation(three, { offered: 3 });
    expect(suggestedVersions(served, { a: '2', b: '1' })).toEqual({ a: 2, b: 1 });
    expect(suggestedVersions(served, { a: null, b: '1' })).toEqual({ a: 3, b: 1 });
    expect(suggestedVersions(served, { a: '9', b: 'x' })).toEqual({ a: 3, b: 2 });
    expect(suggestedVersions(served, { a: '2', b: '2' })).toEqual({ a: 2, b: 3 });
  });

  it('is undefined with fewer than two versions', () => {
    expect(suggestedVersions(operation([version(2), version(1, false)]), NOBODY)).toBeUndefined();
    expect(suggestedVersions(operation([]), NOBODY)).toBeUndefined();
  });
});
