import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Catalog, type Refusal } from '../repository/catalog.js';
import { loadCatalog } from '../repository/load-catalog.js';
import { ModelVersion } from '../repository/model-version.js';
import { nextCatalog, nextTrials, refusalsOfRemovedVersions, versionName } from './exchange.js';

const committed = await loadCatalog(join(import.meta.dirname, '../../../models'));

/** A version of a committed model under another number. */
function version(operation: string, number: number, name = 'a'): ModelVersion {
  const { manifest, folder } = committed.servingVersion(operation)!;
  return new ModelVersion({ ...manifest, name }, number, folder, []);
}

function refusal(operation: string, number: number): Refusal {
  return { operation, version: String(number), message: `${operation}/${number} is not served.` };
}

/** What the repository offers. */
function found(
  versions: readonly ModelVersion[],
  untried: readonly ModelVersion[] = [],
  refusals: readonly Refusal[] = [],
): Catalog {
  return new Catalog(versions, refusals, [], { damaged: refusals, untried });
}

const names = (versions: readonly ModelVersion[]): string[] => versions.map(versionName).toSorted();

describe('nextCatalog', () => {
  const loaded = new Catalog([version('upscale', 2), version('auto_enhance', 1)], []);
  const next = (...offer: Parameters<typeof found>): string[] =>
    names(nextCatalog(loaded, found(...offer)).serving());

  it('serves what the repository offers', () => {
    expect(next([version('upscale', 3), version('auto_enhance', 1)])).toEqual([
      'auto_enhance/1',
      'upscale/3',
    ]);
    expect(next([version('upscale', 1)])).toEqual(['upscale/1']);
  });

  it('updates one operation while a version of another is on trial', () => {
    const offer = [version('upscale', 3), version('auto_enhance', 1)];
    expect(next(offer, [version('auto_enhance', 2)])).toEqual(['auto_enhance/1', 'upscale/3']);
  });

  it('keeps the serving version while nothing replaces it, or if it was changed in place', () => {
    const tone = version('auto_enhance', 1);
    expect(next([tone], [version('upscale', 3)])).toContain('upscale/2');
    const changed = version('upscale', 2, 'changed');
    expect(next([tone, version('upscale', 1)], [changed])).toContain('upscale/2');
    expect(next([tone, version('upscale', 3)], [version('upscale', 4), changed])).toContain('upscale/2');
    expect(next([tone, version('upscale', 3)], [changed])).toContain('upscale/3');
  });

  it('downgrades to a preferred version, and keeps one that was changed in place', () => {
    const preferring = (preferred: number[], ...offer: Parameters<typeof found>): string[] =>
      names(nextCatalog(loaded, found(...offer), new Map([['upscale', preferred]])).serving());
    expect(preferring([1], [version('upscale', 1)])).toEqual(['upscale/1']);
    const changed = [version('upscale', 2, 'changed')];
    expect(preferring([2], [version('upscale', 3)], changed)).toEqual(['upscale/2']);
    expect(preferring([4, 2], [version('upscale', 3)], changed)).toEqual(['upscale/2']);
    expect(preferring([1], [version('upscale', 3)], changed)).toEqual(['upscale/3']);
    const onTrial = [version('upscale', 4), ...changed];
    expect(preferring([4], [version('upscale', 3)], onTrial)).toEqual(['upscale/2']);
  });

  it('replaces a missing or damaged version with another one, whatever is on trial', () => {
    const offer = [version('upscale', 1), version('auto_enhance', 1)];
    expect(next(offer, [version('upscale', 3)])).toContain('upscale/1');
    expect(next([version('upscale', 3)], [version('upscale', 4)])).toContain('upscale/3');
    expect(next(offer, [version('upscale', 3)], [refusal('upscale', 2)])).toContain('upscale/1');
  });
});

describe('refusalsOfRemovedVersions', () => {
  const loaded = new Catalog([version('upscale', 2)], []);
  const removed = (...offer: Parameters<typeof found>): string[] =>
    refusalsOfRemovedVersions(loaded, found(...offer)).map(({ message }) => message);

  it('reports a serving version whose folder is gone', () => {
    const told = [expect.stringMatching(/^upscale\/2 still serves from memory, but its folder is missing/)];
    expect(removed([version('upscale', 1)])).toEqual(told);
    expect(removed([])).toEqual(told);
  });

  it('is silent while a preferred version serves, since the others were not read', () => {
    const offer = found([version('upscale', 1)]);
    for (const preferred of [[1], [3, 1]])
      expect(refusalsOfRemovedVersions(loaded, offer, new Map([['upscale', preferred]]))).toEqual([]);
  });

  it('reports a chosen version while the one that served before it serves', () => {
    const offer = found([version('upscale', 1)]);
    expect(refusalsOfRemovedVersions(loaded, offer, new Map([['upscale', [2, 1]]]))).toHaveLength(1);
  });

  it.each([
    ['is there', found([version('upscale', 2)])],
    ['has a successor', found([version('upscale', 3)])],
    ['was changed in place', found([version('upscale', 1)], [version('upscale', 2, 'changed')])],
    ['is refused, which says more', found([version('upscale', 1)], [], [refusal('upscale', 2)])],
  ])('is silent about one that %s', (_, offer) => {
    expect(refusalsOfRemovedVersions(loaded, offer)).toEqual([]);
  });
});

it('tries the highest version of each operation first', () => {
  const untried = [version('upscale', 4), version('upscale', 3), version('auto_enhance', 2)];
  expect(names(nextTrials(found([], untried)))).toEqual(['auto_enhance/2', 'upscale/4']);
});
