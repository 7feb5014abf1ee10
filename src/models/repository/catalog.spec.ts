import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LEVELS } from '../../kernel/operations.js';
import { Catalog } from './catalog.js';
import { loadCatalog } from './load-catalog.js';
import type { ModelPromise } from './model-promise.js';
import { ModelVersion } from './model-version.js';
import { workKind } from './work-kind.js';

const built = (await loadCatalog(join(import.meta.dirname, '../../../models'))).servingVersion('upscale')!;

/** The render stages of the levels low, medium and high. */
const SHAPES = [
  ['x2-fast', 'x2-fast', 'x2-fast'],
  ['x4', 'x4', 'x4'],
  ['x2-fast', 'x4', 'x4'],
] as const;

type Shape = (typeof SHAPES)[number];

function upscale(number: number, shape: Shape): ModelVersion {
  const levels = LEVELS.map((level, index) => [
    level,
    { ...built.manifest.levels[level], render: shape[index]! },
  ]);
  const manifest = { ...built.manifest, levels: Object.fromEntries(levels) as typeof built.manifest.levels };
  return new ModelVersion(manifest, number, built.folder, []);
}

/** The ids of all stages of these versions. */
const stagesOf = (numbers: readonly number[]): ReadonlySet<string> =>
  new Set(
    numbers.flatMap((number) =>
      Object.keys(built.manifest.stages).map((name) => `upscale/${number}/${name}`),
    ),
  );

/** How a version is loaded beside the one that serves. */
type Beside = { readonly shape: Shape; readonly as: 'other' | 'pinned' | 'canary' } | null;

const BESIDE: readonly Beside[] = [
  null,
  ...SHAPES.flatMap((shape) => (['other', 'pinned', 'canary'] as const).map((as) => ({ shape, as }))),
];

const SERVING = 3;

/** @param serving null: the operation is not served */
function catalogOf(serving: Shape | null, beside: readonly Beside[]): Catalog {
  const loaded = beside.flatMap((one, index) =>
    one === null ? [] : [{ version: upscale(index + 1, one.shape), as: one.as }],
  );
  const ofKind = (as: string): ModelVersion[] =>
    loaded.filter((one) => one.as === as).map(({ version }) => version);
  const pinned = ofKind('pinned').map(({ version }) => ({ operation: 'upscale', version, isPinned: true }));
  return new Catalog(serving === null ? [] : [upscale(SERVING, serving)], [])
    .withCanaries({ versions: ofKind('canary'), untried: [], refusals: [] })
    .with([...ofKind('other'), ...ofKind('pinned')], pinned);
}

const VERSIONS = [1, 2, SERVING];
const SUBSETS = Array.from({ length: 2 ** VERSIONS.length }, (_, bits) =>
  VERSIONS.filter((_number, index) => (bits & (1 << index)) !== 0),
);
const CHOICES = [SERVING, 1].flatMap((serving) =>
  [null, 1].map((version) => ({
    serving,
    canary: version === null ? null : ({ version, percent: 1, by: 'account', since: '' } as const),
  })),
);
/** The last version is not loaded. */
const PROMISES: readonly (ModelPromise | null)[] = [
  null,
  ...[...VERSIONS, 4].flatMap((version) =>
    [2, 4].flatMap((scale) => {
      const promise = { version, scale, producesAlpha: false };
      return [promise, { ...promise, pinned: true as const }];
    }),
  ),
];

describe('Catalog', () => {
  it('can run every job of the kinds that it announces, whichever versions are away', () => {
    const stuck = new Set<string>();
    for (const serving of [null, ...SHAPES])
      for (const first of BESIDE)
        for (const second of BESIDE) {
          const catalog = catalogOf(serving, [first, second]);
          for (const numbers of SUBSETS) {
            const away = stagesOf(numbers);
            const kinds = new Set(catalog.kinds(away));
            // The shapes treat medium like high.
            for (const level of ['low', 'high'] as const)
              for (const promise of PROMISES) {
                const kind = workKind('upscale', level, promise);
                if (!kinds.has(kind)) continue;
                const isStuck = CHOICES.some(
                  (choice) => catalog.routeFor('upscale', level, promise, choice, away) === undefined,
                );
                if (isStuck)
                  stuck.add(`${kind} of version ${promise?.version}, without ${numbers.join(', ')}`);
              }
          }
        }
    expect([...stuck]).toEqual([]);
  });

  it('replaces a version that is away with another of the same size, if the one that serves has a different size', () => {
    const [small, large] = SHAPES;
    const catalog = catalogOf(large, [
      { shape: small, as: 'other' },
      { shape: small, as: 'other' },
    ]);
    const versionFor = (version: number, away: readonly number[], pinned?: true): number | undefined => {
      const promise = { version, scale: 2, producesAlpha: false, ...(pinned && { pinned }) };
      return catalog.routeFor('upscale', 'low', promise, undefined, stagesOf(away))?.model.version;
    };
    expect([versionFor(1, []), versionFor(2, [])]).toEqual([1, 2]);
    expect([versionFor(1, [1]), versionFor(2, [1])]).toEqual([2, 2]);
    expect(versionFor(1, [1], true)).toBeUndefined();
    expect(versionFor(1, [1, 2])).toBeUndefined();
    expect(catalog.kinds(stagesOf([1, 2]))).not.toContain('upscale/low/2/false');
  });
});
