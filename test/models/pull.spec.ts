import { createHash } from 'node:crypto';
import { access, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GraphWriter, Value } from '../../src/models/compose/graph-writer.js';
import { tinyModel } from '../../src/models/testing/tiny-models.js';
import { type ModelsDir, temporaryModels } from '../support/models/models-dir.js';
import { runModelsCommand } from '../support/models/models-command.js';

/** Nearest by two, and 400 kB of weights that nothing reads, so that a download has a middle. */
const FILE = tinyModel({
  dims: ['N', 3, 'H', 'W'],
  outputDims: null,
  body: (g: GraphWriter, x: Value) => {
    g.constant(
      Array.from({ length: 100_000 }, (_, at) => at / 7),
      'float32',
    );
    const channels = g.op('Concat', [x, x, x, x], { axis: 1 });
    return g.op('DepthToSpace', [channels], { blocksize: 2, mode: 'DCR' });
  },
});
const SHA256 = createHash('sha256').update(FILE).digest('hex');

const ENTRY = {
  name: 'nearest',
  title: 'Nearest',
  operation: 'upscale',
  licence: { id: 'MIT', permissive: true, address: 'https://example.org/licence' },
  file: { name: 'nearest.onnx', address: '', bytes: FILE.length, sha256: SHA256 },
  manifest: {
    name: 'nearest',
    description: 'Repeats pixels.',
    engine: 'onnx',
    licence: 'MIT',
    source: 'https://example.org',
    trainedOn: 'nothing',
    stages: {
      x2: {
        kind: 'render',
        tile: 64,
        halo: 8,
        scale: 2,
        maxBatch: 2,
        maxDelayMs: 5,
        input: { layout: 'NCHW', dtype: 'float32', channels: 'RGB', range: [0, 1], size: { mode: 'any' } },
        output: { layout: 'NCHW', dtype: 'float32', meaning: 'image', channels: 'RGB', range: [0, 1] },
      },
    },
    levels: Object.fromEntries(
      ['low', 'medium', 'high'].map((level) => [level, { strength: 1, render: 'x2' }]),
    ),
  },
};

/** Ends the connection in the middle of the body, once what was sent has arrived. */
function cut(answer: ServerResponse): void {
  setTimeout(() => answer.destroy(), 200);
}

describe('models pull, from a server that is not always kind', { timeout: 120_000 }, () => {
  let models: ModelsDir;
  let server: Server;
  let address: string;
  /** Ranges that were asked for, one for each request. */
  let ranges: (string | undefined)[];
  let serve: (answer: ServerResponse, range: string | undefined) => void;

  /** As a web server does: the part that was asked for. */
  const whole = (answer: ServerResponse, range: string | undefined): void => {
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
    const part = FILE.subarray(from);
    answer.writeHead(from > 0 ? 206 : 200, {
      'content-length': part.length,
      ...(from > 0 && { 'content-range': `bytes ${from}-${FILE.length - 1}/${FILE.length}` }),
    });
    answer.end(part);
  };

  beforeEach(async () => {
    models = await temporaryModels();
    ranges = [];
    serve = whole;
    server = createServer((request, answer) => {
      ranges.push(request.headers.range);
      serve(answer, request.headers.range);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/nearest.onnx`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await models.remove();
  });

  async function pull(
    file: Readonly<Record<string, unknown>> = {},
    licence: Readonly<Record<string, unknown>> = {},
    flags: readonly string[] = [],
  ): ReturnType<typeof runModelsCommand> {
    const catalogue = join(models.path, 'upstream.json');
    const entry = {
      ...ENTRY,
      file: { ...ENTRY.file, address, ...file },
      licence: { ...ENTRY.licence, ...licence },
    };
    await writeFile(catalogue, JSON.stringify({ models: [entry] }));
    return runModelsCommand(['pull', 'nearest', '--catalogue', catalogue, '--json', ...flags], models.path);
  }

  const isThere = (path: string): Promise<boolean> =>
    access(join(models.path, path)).then(
      () => true,
      () => false,
    );

  it('installs a version that is checked, with the names that its file tells', async () => {
    const { code, json } = await pull();
    expect(json).toMatchObject({ name: 'nearest', version: 1, sha256: SHA256 });
    expect(code).toBe(0);
    const folder = join(models.path, 'upscale/1');
    expect(
      createHash('sha256')
        .update(await readFile(join(folder, 'nearest.onnx')))
        .digest('hex'),
    ).toBe(SHA256);
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as {
      stages: { x2: Record<string, unknown> };
    };
    expect(manifest.stages.x2).toMatchObject({ sha256: SHA256, input: { name: 'x' }, output: { name: 'y' } });
    expect(await readFile(join(folder, 'LICENSE'), 'utf8')).toContain('https://example.org/licence');
    expect((await readdir(models.path)).toSorted()).toEqual(['.pulling', 'upscale', 'upstream.json']);
    expect(await readdir(join(models.path, '.pulling'))).toEqual([]);
    // Again: the next version.
    expect((await pull()).json).toMatchObject({ version: 2 });
  });

  it('goes on where it was cut off, within one run', async () => {
    const cutAt = 150_000;
    serve = (answer, range) => {
      if (range !== undefined) return whole(answer, range);
      answer.writeHead(200, { 'content-length': FILE.length });
      answer.write(FILE.subarray(0, cutAt), () => cut(answer));
    };
    expect(await pull()).toMatchObject({ code: 0, json: { version: 1 } });
    expect(ranges[0]).toBeUndefined();
    const from = Number(/^bytes=(\d+)-$/.exec(ranges[1]!)![1]);
    expect(from).toBeGreaterThan(0);
    expect(from).toBeLessThanOrEqual(cutAt);
    expect(ranges).toHaveLength(2);
  });

  it('goes on in the next run, when the server stays away', async () => {
    serve = (answer, range) => {
      const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
      if (from > 0) return answer.destroy() as unknown as void;
      answer.writeHead(200, { 'content-length': FILE.length });
      answer.write(FILE.subarray(0, 100_000), () => cut(answer));
    };
    const first = await pull();
    expect(first.code).toBe(1);
    expect(first.json).toMatchObject({
      error: expect.stringContaining('run the same command again and it goes on where it was'),
    });
    expect(await isThere('upscale')).toBe(false);
    ranges = [];
    serve = whole;
    expect(await pull()).toMatchObject({ code: 0 });
    expect(ranges).toEqual([expect.stringMatching(/^bytes=[1-9]\d*-$/)]);
  });

  it('starts over where the server knows no ranges', async () => {
    let requests = 0;
    serve = (answer) => {
      requests += 1;
      answer.writeHead(200, { 'content-length': FILE.length });
      if (requests > 1) answer.end(FILE);
      else answer.write(FILE.subarray(0, 100_000), () => cut(answer));
    };
    expect(await pull()).toMatchObject({ code: 0, json: { version: 1 } });
  });

  it('refuses a wrong hash and keeps nothing', async () => {
    const { code, json } = await pull({ sha256: 'a'.repeat(64) });
    expect(code).toBe(1);
    expect((json as { error: string }).error).toMatch(
      new RegExp(
        `has sha256 ${SHA256}, the catalogue says a{64}: it is another file, or it was changed on its way`,
      ),
    );
    expect(await isThere('upscale')).toBe(false);
    expect(await readdir(join(models.path, '.pulling'))).toEqual([]);
  });

  it('asks for assent where the licence is not permissive, before a byte is fetched', async () => {
    const licence = { id: 'CC-BY-NC-4.0', permissive: false };
    const { code, json } = await pull({}, licence);
    expect(code).toBe(1);
    expect((json as { error: string }).error).toMatch(
      /published under CC-BY-NC-4\.0 \(https:\/\/example\.org\/licence\).*--accept-licence/,
    );
    expect(ranges).toEqual([]);
    expect(await pull({}, licence, ['--accept-licence'])).toMatchObject({ code: 0 });
  });

  it('says what the server answers, and which names there are', async () => {
    serve = (answer) => answer.writeHead(404).end();
    expect(((await pull()).json as { error: string }).error).toContain(
      'answers 404; the publisher may have moved the file',
    );
    expect(ranges).toHaveLength(1);
    const { json } = await runModelsCommand(['pull', 'nothing', '--json'], models.path);
    expect((json as { error: string }).error).toMatch(
      /There is no model "nothing" in the catalogue: u2netp, .*esrgan-slim/,
    );
  });

  it('has a catalogue whose every entry becomes a manifest that is sound', async () => {
    const { json } = await runModelsCommand(['pull', '--json'], models.path);
    const { checkManifest } = await import('../../src/models/manifest/manifest-check.js');
    for (const model of json as (typeof ENTRY)[]) {
      const stages = Object.entries(
        model.manifest.stages as unknown as Record<string, Record<string, object>>,
      ).map(([name, stage]) => [
        name,
        (stage['kind'] as unknown) === 'matte'
          ? stage
          : {
              ...stage,
              file: model.file.name,
              sha256: model.file.sha256,
              input: { name: 'x', ...stage['input'] },
              output: { name: 'y', ...stage['output'] },
            },
      ]);
      const manifest = {
        ...model.manifest,
        operation: model.operation,
        stages: Object.fromEntries(stages) as object,
      };
      expect(checkManifest(manifest, model.operation), model.name).toMatchObject({ ok: true });
    }
    expect(json).toHaveLength(7);
  });
});
