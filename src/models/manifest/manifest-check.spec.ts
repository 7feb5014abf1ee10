import { describe, expect, it } from 'vitest';
import { checkManifest } from './manifest-check.js';

const sha256 = 'a'.repeat(64);

function sound(): Record<string, unknown> {
  return {
    $schema: '../../manifest.schema.json',
    name: 'soft',
    operation: 'smooth_skin',
    description: 'Smooths.',
    engine: 'onnx',
    license: 'Apache-2.0',
    source: 'scripts/training/x.py',
    trainedOn: 'nothing',
    stages: {
      map: {
        kind: 'analyse',
        file: 'map.onnx',
        sha256,
        size: 64,
        outputs: { map: [1, 64, 64], presence: [1] },
        maxBatch: 4,
        maxDelayMs: 5,
      },
      blend: {
        kind: 'render',
        file: 'b.onnx',
        sha256,
        tile: 64,
        halo: 8,
        scale: 1,
        maxBatch: 4,
        maxDelayMs: 5,
      },
    },
    levels: {
      low: { strength: 0.3, analyse: 'map', render: 'blend' },
      medium: { strength: 0.6, analyse: 'map', render: 'blend' },
      high: { strength: 1, render: 'blend' },
    },
  };
}

/** A sound manifest with the value at a dotted path replaced; undefined removes it. */
function altered(path: string, value: unknown): unknown {
  const manifest = sound();
  const keys = path.split('.');
  const last = keys.pop()!;
  const parent = keys.reduce((node, key) => node[key] as Record<string, unknown>, manifest);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return manifest;
}

function faults(value: unknown): readonly string[] {
  const check = checkManifest(value, 'smooth_skin');
  return check.ok ? [] : check.faults;
}

describe('checkManifest', () => {
  it('accepts a sound manifest', () => {
    expect(faults(sound())).toEqual([]);
    expect(faults(altered('stages.map.noSubject', { output: 'presence', below: 0.5 }))).toEqual([]);
    expect(faults(altered('stages.blend.alpha', 'produce'))).toEqual([]);
    expect(faults(altered('description', 'Smooths.\n\tSkin – 😀, c\u0327a va.'))).toEqual([]);
  });

  it.each([
    ['name', undefined, 'name must be a text that is not empty and has no control characters, missing'],
    ['name', 'x\0y', 'name must be a text that is not empty and has no control characters, not "x\\u0000y"'],
    [
      'description',
      'half of an emoji: \ud83d',
      'description must be a text that is not empty and has no control characters, not "half of an emoji: \\ud83d"',
    ],
    ['operation', 'upscale', 'operation must be "smooth_skin", the name of its folder, not "upscale"'],
    ['engine', 'torch', 'engine must be one of onnx, tensorflow, not "torch"'],
    [
      'stages.map.tensorflow',
      { inputRange: [0, 1], weights: { 'a.bin': sha256 } },
      'stages.map.tensorflow must be removed: the engine is onnx',
    ],
    [
      'stages.blend.tensorflow',
      { inputRange: [0], weights: { 'a.bin': sha256 } },
      'stages.blend.tensorflow.inputRange must be a list with at least 2 entries, not [0]',
    ],
    ['stages', {}, 'stages must be an object with at least one entry, not {}'],
    ['stages.map.kind', 'guess', 'stages.map.kind must be one of analyse, render, matte, not "guess"'],
    ['stages.blend.tile', 0, 'stages.blend.tile must be a whole number from 16 to 2048, not 0'],
    ['stages.blend.halo', 1.5, 'stages.blend.halo must be a whole number from 0 to 512, not 1.5'],
    [
      'stages.blend.file',
      '../b.onnx',
      'stages.blend.file must be the name of a file in the same folder, without a path, not "../b.onnx"',
    ],
    ['stages.blend.sha256', 'ABC', 'stages.blend.sha256 must be 64 lowercase hex digits, not "ABC"'],
    [
      'stages.map.outputs',
      { image: [1] },
      'stages.map.outputs.image must be named by letters, digits and underscores, and not image, strength or window',
    ],
    [
      'stages.map.outputs.map',
      [1, 0],
      'stages.map.outputs.map.1 must be a whole number from 1 to 1000000, not 0',
    ],
    [
      'stages.map.noSubject',
      { output: 'map', below: 0.5 },
      'stages.map.noSubject.output must name an output of shape [1], not "map"',
    ],
    ['levels.low.strength', 1.01, 'levels.low.strength must be a number from 0 to 1, not 1.01'],
    ['levels.low.render', 'map', 'levels.low.render must name a stage of kind render or matte, not "map"'],
    ['levels.low.analyse', 'blend', 'levels.low.analyse must name a stage of kind analyse, not "blend"'],
    [
      'levels.low.render',
      'toString',
      'levels.low.render must name a stage of kind render or matte, not "toString"',
    ],
    ['levels.high', undefined, 'levels.high must be an object, missing'],
    ['stages.map', null, 'stages.map must be an object, not null'],
  ])('refuses %s = %j', (path, value, fault) => {
    expect(faults(altered(path, value))).toEqual([fault]);
  });

  it('names the known fields when it meets an unknown one', () => {
    expect(faults(altered('levels.low.strenght', 1))).toEqual([
      'levels.low.strenght must be removed: the known fields are strength, render, analyse',
    ]);
  });

  it('refuses an operation that keeps alpha at one level and produces it at another', () => {
    const manifest = altered('levels.high.render', 'cut') as { stages: Record<string, object> };
    manifest.stages['cut'] = { ...manifest.stages['blend'], alpha: 'produce' };
    expect(faults(manifest)).toEqual([expect.stringContaining('the same alpha')]);
  });

  it('reports every fault at once', () => {
    const manifest = altered('name', '') as Record<string, unknown>;
    expect(faults({ ...manifest, license: 3 })).toHaveLength(2);
  });

  it.each([null, 3, 'text', []])('refuses %j as a whole', (value) => {
    expect(faults(value)).toEqual([expect.stringContaining('the file must be an object')]);
  });
});
