import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GraphWriter, Value } from '../../../src/models/compose/graph-writer.js';
import { tinyModel } from '../../../src/models/testing/tiny-models.js';
import { runModelsCommand } from '../../support/models/models-command.js';
import { type ModelsDir, temporaryModels } from '../../support/models/models-dir.js';

interface Stage {
  readonly size: number;
  readonly input: { readonly size: { readonly mode: string } };
}

interface Entry {
  readonly name: string;
  readonly file: object;
  readonly manifest?: { readonly stages: { readonly subject: Stage } };
}

const CATALOG = JSON.parse(readFileSync('models/upstream.json', 'utf8')) as { models: readonly Entry[] };

/** One entry for each shape of manifest: the others differ only in their weights. */
const SHAPES = [
  ...new Map(
    CATALOG.models
      .filter(({ manifest }) => manifest !== undefined)
      .map((entry) => [JSON.stringify(entry.manifest!.stages), entry]),
  ).values(),
];

/** Returns brightness as a map, at the sizes of the published file. */
function standIn({ size, input }: Stage): Uint8Array {
  const isFixed = input.size.mode === 'fixed';
  return tinyModel({
    dims: isFixed ? [1, 3, size, size] : ['N', 3, 'H', 'W'],
    outputDims: isFixed ? [1, 1, size, size] : null,
    body: (g: GraphWriter, x: Value) => g.op('ReduceMean', [x], { axes: [1], keepdims: 1 }),
  });
}

describe('models pull, with stand-ins for the shapes in the catalog', () => {
  let models: ModelsDir;
  let server: Server;
  let file: Uint8Array;
  beforeAll(async () => {
    models = await temporaryModels();
    server = createServer((_, answer) => answer.end(file));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
    await models.remove();
  });

  it.each(SHAPES)('installs $name', async (entry) => {
    file = standIn(entry.manifest!.stages.subject);
    const catalog = join(models.path, 'upstream.json');
    const { port } = server.address() as AddressInfo;
    const sha256 = createHash('sha256').update(file).digest('hex');
    const address = `http://127.0.0.1:${port}/stand-in.onnx`;
    const stands = { name: 'stand-in.onnx', address, bytes: file.length, sha256 };
    await writeFile(catalog, JSON.stringify({ models: [{ ...entry, file: stands }] }));
    const outcome = await runModelsCommand(['pull', entry.name, '--catalog', catalog, '--json'], models.path);
    expect(outcome.code, outcome.stdout).toBe(0);
    expect(outcome.json).toMatchObject({ name: entry.name, sha256 });
  });
});
