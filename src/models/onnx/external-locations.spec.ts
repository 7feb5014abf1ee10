import { Writer } from 'protobufjs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ModelFile } from '../files/model-file.js';
import { externalModel } from '../testing/external-model.js';
import { externalLocations, locationFault } from './external-locations.js';
import { delimited, joined, utf8 } from './wire.js';

const field = (number: number, ...payload: readonly Uint8Array[]): Uint8Array =>
  joined([...delimited(number, joined(payload))]);
const text = (number: number, value: string): Uint8Array => field(number, utf8(value));
const tensor = (number: number, location: string): Uint8Array =>
  field(
    number,
    field(13, text(1, 'location'), text(2, location)),
    field(13, text(1, 'offset'), text(2, '0')),
  );
const groupStart = (number: number): Uint8Array =>
  Writer.create()
    .uint32((number << 3) | 3)
    .finish();
const groupEnd = (number: number): Uint8Array =>
  Writer.create()
    .uint32((number << 3) | 4)
    .finish();

describe('externalLocations', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ies-locations-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function found(model: Uint8Array): Promise<readonly string[]> {
    await writeFile(join(folder, 'm.onnx'), model);
    return ModelFile.with(folder, 'm.onnx', { maxBytes: 2 ** 31 }, externalLocations);
  }

  it('finds the file that an initializer names', async () => {
    expect(await found(externalModel('weights/m.data'))).toEqual(['weights/m.data']);
  });

  it.each([
    ['a sparse initializer', [field(7, field(15, tensor(1, 'values'), tensor(2, 'indices')))], 2],
    ['a constant', [field(7, field(1, field(5, tensor(5, 'values'))))], 1],
    ['a list of tensors in an attribute', [field(7, field(1, field(5, tensor(10, 'values'))))], 1],
    ['a sparse constant', [field(7, field(1, field(5, field(22, tensor(1, 'values')))))], 1],
    ['a subgraph', [field(7, field(1, field(5, field(6, tensor(5, 'values')))))], 1],
    ['a subgraph of a list', [field(7, field(1, field(5, field(11, tensor(5, 'values')))))], 1],
    ['a function', [field(25, field(7, field(5, tensor(5, 'values'))))], 1],
    ['a second graph field', [field(7, text(2, 'name')), field(7, tensor(5, 'values'))], 1],
    ['a group, which other readers skip', [groupStart(9), field(7, tensor(5, 'values')), groupEnd(9)], 1],
    ['a graph after a group', [groupStart(9), groupEnd(9), field(7, tensor(5, 'values'))], 1],
  ])('finds the files of %s', async (_, fields, count) => {
    expect(await found(joined(fields))).toEqual(['values', 'indices'].slice(0, count));
  });

  it('finds a graph behind a tag whose upper bits other readers ignore', async () => {
    const graph = tensor(5, 'values');
    const tag = Uint8Array.of(0xba, 0x80, 0x80, 0x80, 0x10);
    expect(await found(joined([tag, Writer.create().uint32(graph.length).finish(), graph]))).toEqual([
      'values',
    ]);
  });

  it('skips weights of any size, and reads what follows them', async () => {
    const raw = Buffer.alloc(3_000_000, 0xff);
    const initializers = [field(5, field(9, raw)), tensor(5, 'behind')];
    expect(await found(field(7, ...initializers))).toEqual(['behind']);
  });

  it('returns what it found in a file that is truncated or not a model', async () => {
    const model = joined([field(7, tensor(5, 'first')), field(7, tensor(5, 'second'))]);
    expect(await found(model.subarray(0, model.length - 4))).toContain('first');
    expect(await found(utf8('not a model at all, but some text'))).toEqual([]);
    expect(await found(new Uint8Array())).toEqual([]);
  });

  it('stops in graphs that are nested too deeply', async () => {
    let graph = tensor(5, 'deep');
    for (let depth = 0; depth < 3000; depth++) graph = field(1, field(5, field(6, graph)));
    expect(await found(field(7, graph))).toEqual([]);
  });
});

describe('locationFault', () => {
  it('distinguishes a path from a file that is not listed', () => {
    expect(locationFault('m.data')).toMatch(/"m\.data", which the manifest does not list/);
    for (const path of [
      '/etc/passwd',
      '../m.data',
      'a/m.data',
      '..',
      '.',
      '',
      '*/_ORT_MEM_ADDR_/*',
      'a\\b',
      'b weights (1).data',
    ])
      expect(locationFault(path)).toContain(
        'which is not a plain file name of letters, digits, dots, dashes and underscores',
      );
  });
});
