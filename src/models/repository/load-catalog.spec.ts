import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LEVELS, SPECIFIED_OPERATIONS } from '../../kernel/operations.js';
import { isStorable } from '../../kernel/storable-text.js';
import type { Catalog } from './catalog.js';
import { loadCatalog, UNTRIED, versionsIn } from './load-catalog.js';
import { readVersion } from './read-version.js';
import { storedStepKind } from './work-kind.js';
import type { Manifest } from '../manifest/manifest.js';
import { filesOf } from '../manifest/stage-files.js';

const committed = join(import.meta.dirname, '../../../models');

describe('loadCatalog over the committed models', () => {
  it('offers the four specified operations at every level and refuses nothing', async () => {
    const catalog = await loadCatalog(committed);
    expect(catalog.refusals).toEqual([]);
    const names = catalog.operations().map(({ operation }) => operation);
    expect(names).toEqual([...SPECIFIED_OPERATIONS].toSorted());
    for (const operation of names)
      for (const level of LEVELS) expect(catalog.route(operation, level)).toMatchObject({ operation, level });
    expect(catalog.routes()).toHaveLength(12);
    expect(catalog.route('colorize', 'low')).toBeUndefined();
  });

  it('exposes what the API must know: scales, alpha, identity', async () => {
    const operations = (await loadCatalog(committed)).operations();
    const upscale = operations.find(({ operation }) => operation === 'upscale');
    expect(upscale).toMatchObject({ scales: { low: 2, medium: 2, high: 4 }, producesAlpha: false });
    expect(upscale?.model).toMatchObject({ version: 1, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(operations.find(({ operation }) => operation === 'bg_remove')?.producesAlpha).toBe(true);
  });
});

const fieldsTo = (count: number): [string, number][] =>
  Array.from({ length: count }, (_, index) => [`field${index}`, index]);

describe('loadCatalog over a repository with faults', () => {
  let root: string;
  const version = (name: string): string => join(root, 'auto_enhance', name);

  const readManifest = async (name: string): Promise<Manifest> =>
    JSON.parse(await readFile(join(version(name), 'manifest.json'), 'utf8')) as Manifest;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'catalog-'));
    for (const name of ['1', '2', '10'])
      await cp(join(committed, 'auto_enhance/1'), version(name), { recursive: true });
  });

  afterEach(async () => {
    await rm(root, { recursive: true, force: true });
  });

  it('serves the highest version by number', async () => {
    const catalog = await loadCatalog(root);
    expect(catalog.route('auto_enhance', 'low')?.model.version).toBe(10);
    expect(catalog.route('auto_enhance', 'low')?.render.id).toBe('auto_enhance/10/tone');
    expect(catalog.refusals).toEqual([]);
  });

  it('serves the preferred version instead of a higher one, unless it is missing or invalid', async () => {
    const preferring = (...numbers: number[]): Promise<Catalog> =>
      loadCatalog(root, undefined, new Map([['auto_enhance', numbers]]));
    const versionOf = (of: Catalog): number | undefined => of.servingVersion('auto_enhance')?.version;
    expect(versionOf(await preferring(2))).toBe(2);
    expect(versionOf(await preferring(7))).toBe(10);
    await rm(join(version('2'), 'tone.onnx'));
    const catalog = await preferring(2);
    expect(versionOf(catalog)).toBe(10);
    expect(catalog.refusals).toMatchObject([{ version: '2' }]);
    // The version that served before is preferred to a higher one, which nobody chose.
    for (const number of [2, 7]) expect(versionOf(await preferring(number, 1))).toBe(1);
    expect(versionOf(await preferring(10, 1))).toBe(10);
    expect(versionOf(await preferring(2, 7))).toBe(10);
    expect((await versionsIn(root)).map((one) => one.version)).toEqual([10, 2, 1]);
  });

  it('serves the interim version while the preferred or a higher version is on trial', async () => {
    const served = async (preferred: number | undefined, untried: number, interim: number) => {
      const catalog = await loadCatalog(
        root,
        (one) => (one.version === untried ? UNTRIED : null),
        new Map(preferred === undefined ? [] : [['auto_enhance', [preferred]]]),
        () => interim,
      );
      const { excluded } = catalog;
      return [catalog.servingVersion('auto_enhance')?.version, excluded.untried.map((one) => one.version)];
    };
    expect(await served(2, 2, 1)).toEqual([1, [2]]);
    expect(await served(10, 10, 1)).toEqual([1, [10]]);
    expect(await served(2, 2, 7)).toEqual([10, [2]]);
    expect(await served(2, 10, 1)).toEqual([2, []]);
    expect(await served(7, 10, 1)).toEqual([1, [10]]);
    expect(await served(undefined, 10, 1)).toEqual([1, [10]]);
    expect(await served(undefined, 2, 1)).toEqual([10, []]);
    await rm(join(version('1'), 'tone.onnx'));
    expect(await served(2, 2, 1)).toEqual([10, [2]]);
    expect(await served(undefined, 10, 1)).toEqual([2, [10]]);
    await rm(join(version('2'), 'tone.onnx'));
    await cp(version('10'), version('9'), { recursive: true });
    expect(await served(2, 10, 9)).toEqual([9, [10]]);
  });

  it('runs pinned jobs only on their version, and keeps that version loaded for them', async () => {
    const catalog = await loadCatalog(root);
    const second = await readVersion(version('2'));
    const promise = { version: 2, scale: 1, producesAlpha: false } as const;
    const versionFor = (of: Catalog, pinned: object): number | undefined =>
      of.routeFor('auto_enhance', 'low', { ...promise, ...pinned })?.model.version;
    expect(versionFor(catalog, {})).toBe(10);
    expect(versionFor(catalog, { pinned: true })).toBeUndefined();
    expect(catalog.kinds()).toContain('auto_enhance/low/1/false@10');
    expect(catalog.kinds()).not.toContain('auto_enhance/low/1/false@2');
    const one = { operation: 'auto_enhance', version: 2 };
    expect(catalog.with([second], [{ ...one, isPinned: false }]).loadedVersions()).toHaveLength(1);
    const kept = catalog.with([second], [{ ...one, isPinned: true }]);
    expect(versionFor(kept, { pinned: true })).toBe(2);
    expect(versionFor(kept, {})).toBe(10);
    expect(kept.kinds()).toContain(storedStepKind('auto_enhance/low/1/false@2'));
  });

  it('runs jobs on an active canary, and on a newly chosen version that is loaded', async () => {
    const [second, first] = [await readVersion(version('2')), await readVersion(version('1'))];
    const none = { untried: [], refusals: [] };
    const catalog = (await loadCatalog(root)).withCanaries({ versions: [second], ...none });
    const canary = { version: 2, percent: 5, by: 'account', since: '' } as const;
    const versionFor = (promised: number, choice: Parameters<Catalog['routeFor']>[3]): number | undefined =>
      catalog.routeFor('auto_enhance', 'low', { version: promised, scale: 1, producesAlpha: false }, choice)
        ?.model.version;
    expect(versionFor(2, { serving: 10, canary })).toBe(2);
    expect(versionFor(10, { serving: 10, canary })).toBe(10);
    // The canary is canceled: its waiting jobs run on the serving version.
    expect(versionFor(2, { serving: 10, canary: null })).toBe(10);
    // The canary is promoted, and no other worker has taken over yet.
    expect(versionFor(10, { serving: 2, canary: null })).toBe(2);
    expect(versionFor(10, { serving: 1, canary: null })).toBe(10);
    expect(catalog.canaryOperations().map(({ model }) => model.version)).toEqual([2]);
    expect(
      catalog
        .with([first, second], [])
        .loadedVersions()
        .map((one) => one.version),
    ).toEqual([10, 2]);
    expect(catalog.kinds()).toContain('auto_enhance/low/1/false@2');
  });

  it('loads a shadow for comparisons, but runs no job on it', async () => {
    const second = await readVersion(version('2'));
    const none = { untried: [], refusals: [] };
    const catalog = (await loadCatalog(root)).withShadows({ versions: [second], ...none });
    const plain = await loadCatalog(root);
    expect(catalog.shadowRoute('auto_enhance', 'low')?.model.version).toBe(2);
    expect(catalog.shadowOperations().map(({ model }) => model.version)).toEqual([2]);
    expect(catalog.kinds()).toEqual(plain.kinds());
    expect(catalog.loadedVersions()).toEqual(plain.loadedVersions());
    const promise = { version: 2, scale: 1, producesAlpha: false, pinned: true } as const;
    expect(catalog.routeFor('auto_enhance', 'low', promise)).toBeUndefined();
    const stages = catalog.routes().map(({ render }) => render.id);
    expect(new Set(stages.map((id) => id.split('/')[1]))).toEqual(new Set(['10', '2']));
    expect(catalog.jobRoutes().map(({ render }) => render.id)).toEqual(
      plain.routes().map(({ render }) => render.id),
    );
    // A job was promised the same version, which is loaded only once.
    const kept = catalog.with([second], [{ operation: 'auto_enhance', version: 2, isPinned: true }]);
    expect(kept.inMemory().map((one) => one.version)).toEqual([10, 2]);
    expect(kept.shadowRoute('auto_enhance', 'low')?.model.version).toBe(2);
  });

  it('refuses a shadow whose results have a different size', async () => {
    const second = await readVersion(version('2'));
    const other = Object.assign(Object.create(second) as typeof second, {
      routes: { ...second.routes, high: { ...second.routes.high, scale: 2 } },
    });
    const found = { versions: [other], untried: [], refusals: [] };
    const catalog = (await loadCatalog(root)).withShadows(found);
    expect(catalog.shadows).toEqual([]);
    expect(catalog.refusals.at(-1)).toEqual({
      operation: 'auto_enhance',
      version: '2',
      message:
        'auto_enhance/2 cannot be a shadow: its results have another size or transparency than those of the version that serves. Stop the shadow run, and choose the version to serve.',
    });
  });

  it('identifies a version by the hashes of its files, in order', async () => {
    const { stages } = await readManifest('10');
    const lines = Object.values(stages).flatMap((stage) => filesOf(stage).map(({ sha256 }) => `${sha256}\n`));
    const expected = createHash('sha256').update(lines.join('')).digest('hex');
    expect((await loadCatalog(root)).route('auto_enhance', 'high')?.model.sha256).toBe(expected);
  });

  it('skips a version with a changed file, and serves the one below', async () => {
    await writeFile(join(version('10'), 'tone.onnx'), 'not the graph');
    const catalog = await loadCatalog(root);
    expect(catalog.route('auto_enhance', 'low')?.model.version).toBe(2);
    expect(catalog.refusals).toEqual([
      {
        operation: 'auto_enhance',
        version: '10',
        message: expect.stringMatching(
          /^auto_enhance\/10 is not served: the file tone\.onnx of stage tone has sha256 [0-9a-f]{64} but the manifest says [0-9a-f]{64}; restore the file or correct the manifest\.$/,
        ),
      },
    ]);
  });

  it('skips versions with a missing file, a missing manifest, invalid JSON, or a fault', async () => {
    await rm(join(version('10'), 'tone.onnx'));
    await rm(join(version('2'), 'manifest.json'));
    await cp(version('1'), version('3'), { recursive: true });
    await writeFile(join(version('3'), 'manifest.json'), '{');
    await cp(version('1'), version('4'), { recursive: true });
    await writeFile(
      join(version('4'), 'manifest.json'),
      JSON.stringify({ ...(await readManifest('1')), engine: 'magic' }),
    );
    const catalog = await loadCatalog(root);
    expect(catalog.route('auto_enhance', 'low')?.model.version).toBe(1);
    expect(catalog.refusals.map(({ message }) => message)).toEqual([
      'auto_enhance/10 is not served: the file tone.onnx of stage tone is missing; restore it.',
      'auto_enhance/4 is not served: in manifest.json engine must be one of onnx, tensorflow, not "magic"; correct it or remove the folder.',
      expect.stringMatching(/^auto_enhance\/3 is not served: manifest\.json is not JSON/),
      'auto_enhance/2 is not served: manifest.json is missing; add it or remove the folder.',
    ]);
  });

  it.each([
    ['of zeros', Buffer.alloc(2_000)],
    ['in UTF-16', Buffer.from('\ufeff{\r\n "name": "soft" }', 'utf16le')],
    ['that names U+0000', Buffer.from('{"name":"x\\u0000y","operation":"\\ud83d"}')],
  ])('refuses a manifest %s with a message that every worker can announce', async (_, manifest) => {
    await writeFile(join(version('10'), 'manifest.json'), manifest);
    const catalog = await loadCatalog(root);
    expect(catalog.route('auto_enhance', 'low')?.model.version).toBe(2);
    expect(catalog.refusals).toMatchObject([{ version: '10' }]);
    expect(isStorable(catalog.refusals[0]!.message)).toBe(true);
  });

  it.each([
    ['nested too deeply', `{"name":${'['.repeat(6_000)}${']'.repeat(6_000)}}`, 'not a deeply nested value;'],
    ['with a long wrong value', JSON.stringify({ name: Array(10_000).fill(1) }), /name .*, not \[1,[1,]+…;/],
    ['with many faults', JSON.stringify({ levels: Object.fromEntries(fieldsTo(5_000)) }), 'more faults;'],
  ])('refuses a manifest %s briefly, and serves the others', async (_, manifest, text) => {
    await writeFile(join(version('10'), 'manifest.json'), manifest);
    const catalog = await loadCatalog(root);
    expect(catalog.route('auto_enhance', 'low')?.model.version).toBe(2);
    const [refusal] = catalog.refusals;
    expect(refusal!.message).toMatch(text);
    expect(refusal!.message.length).toBeLessThan(2_100);
  });

  it('does not offer an operation without a valid version, and reports the refusal', async () => {
    await mkdir(join(root, 'denoise/1'), { recursive: true });
    const catalog = await loadCatalog(root);
    expect(catalog.operations().map(({ operation }) => operation)).toEqual(['auto_enhance']);
    expect(catalog.refusals).toMatchObject([{ operation: 'denoise', version: '1' }]);
  });

  it.each(['v11', '01', '20261201093000'])('refuses the version folder %s', async (name) => {
    await mkdir(version(name));
    expect((await loadCatalog(root)).refusals).toMatchObject([
      {
        version: name,
        message: expect.stringContaining('must be a whole number of 1 to 9 digits, the first'),
      },
    ]);
  });

  it('refuses versions of an operation with an invalid name, and ignores folders without versions', async () => {
    for (const name of ['My-Op/2', 'My-Op/1', 'denoise-2/1', '.hidden-op/1'])
      await cp(version('1'), join(root, name), { recursive: true });
    await mkdir(join(root, 'lost+found/1'), { recursive: true });
    const catalog = await loadCatalog(root);
    expect(catalog.operations().map(({ operation }) => operation)).toEqual(['auto_enhance']);
    expect(catalog.refusals.map(({ operation, version: name }) => `${operation}/${name}`)).toEqual([
      'My-Op/2',
      'My-Op/1',
      'denoise-2/1',
    ]);
    for (const { message } of catalog.refusals)
      expect(message).toMatch(/is not served: the name of an operation folder must .* rename it\.$/);
    expect(catalog.excluded.damaged).toEqual([]);
  });

  it('names the setting to correct when the folder is missing', async () => {
    await expect(loadCatalog(join(root, 'none'))).rejects.toThrow(/none cannot be read; set MODELS_DIR/);
  });
});
