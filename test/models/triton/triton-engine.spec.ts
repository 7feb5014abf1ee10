import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Enhancer } from '../../../src/inference/enhancer.js';
import { ServerUnavailable } from '../../../src/inference/engines/triton/server-errors.js';
import { NO_SERVER, type TritonOptions } from '../../../src/inference/engines/triton/triton-engine.js';
import type { RunReport } from '../../../src/inference/device/device-port.js';
import { enhanced } from '../../../src/models/check/enhanced.js';
import { installedTriton } from '../../../scripts/triton/triton-home.mjs';
import { TritonServer, useOnnxRuntimeFromPython } from '../../../scripts/triton/triton-server.mjs';
import { serveRepository } from '../../support/inference/onnx-server.js';
import type { ProtocolServer } from '../../support/inference/protocol-server.js';
import {
  largestDifference,
  RemoteModels,
  remotePicture,
  startEnhancer,
} from '../../support/inference/remote-models.js';

const MISSING = installedTriton() === undefined ? ' (skipped: Triton is missing, npm run triton:setup)' : '';

describe('stages on an inference server', () => {
  let models: RemoteModels;
  let server: ProtocolServer;
  let enhancer: Enhancer | undefined;

  beforeAll(async () => {
    models = await RemoteModels.create('auto_enhance', 'upscale');
  });
  afterAll(() => models?.remove());
  beforeEach(async () => {
    server = await serveRepository(models.repository);
  });
  afterEach(async () => {
    await enhancer?.close();
    enhancer = undefined;
    await server.stop();
  });

  const upscale = () => models.remote.route('upscale', 'low')!;
  const connected = async (options: Partial<TritonOptions> = {}): Promise<Enhancer> => {
    enhancer = await startEnhancer(
      { routes: () => [upscale()] },
      { ...NO_SERVER, urls: [server.url], ...options },
    );
    return enhancer;
  };

  it.each([
    ['upscale', 'low', 3],
    ['upscale', 'low', 4],
    ['auto_enhance', 'high', 3],
  ] as const)('%s (%s), %i channels: matches local within 1 of 255', async (operation, level, channels) => {
    const { expected, result, device } = await models.bothWays(
      server.url,
      operation,
      level,
      remotePicture(400, 230, channels),
    );
    expect(device).toBe('triton');
    expect([result.width, result.height, result.channels]).toEqual([
      expected.width,
      expected.height,
      expected.channels,
    ]);
    expect(largestDifference(result.data, expected.data)).toBeLessThanOrEqual(1);
  });

  it('a remote analysis feeds a local render stage', async () => {
    const own = models.local.route('auto_enhance', 'high')!;
    const mixed = { ...own, analyse: models.remote.route('auto_enhance', 'high')!.analyse };
    const image = remotePicture(300, 200);
    const here = await startEnhancer({ routes: () => [own] });
    enhancer = await startEnhancer({ routes: () => [mixed] }, { ...NO_SERVER, urls: [server.url] });
    const expected = await enhanced(here, own, image);
    await here.close();
    const result = await enhanced(enhancer, mixed, image);
    expect(largestDifference(result.data, expected.data)).toBeLessThanOrEqual(1);
    expect(enhancer.deviceOf(mixed)).toBe('cpu');
    expect(server.inferences.map(({ path }) => path)).toEqual([
      '/v2/models/auto_enhance.analyse/versions/1/infer',
    ]);
  });

  it('tiles are sent in batches without padding, and each run is reported', async () => {
    const runs: RunReport[] = [];
    enhancer = await startEnhancer(
      { routes: () => [upscale()] },
      { ...NO_SERVER, urls: [server.url], concurrency: 2 },
      (run) => runs.push(run),
    );
    // 12 tiles of 192.
    await enhancer.render(upscale(), remotePicture(700, 390), null);
    const batches = server.inferences.map(({ batch }) => batch!);
    expect(batches.reduce((a, b) => a + b, 0)).toBe(12);
    expect(Math.max(...batches)).toBeGreaterThan(1);
    expect(Math.max(...batches)).toBeLessThanOrEqual(upscale().render.maxBatch);
    expect(runs.map(({ size }) => size)).toEqual(runs.map(({ items }) => items));
    expect(runs.length).toBe(batches.length);
  });

  it('the user and password in the URL are sent but never shown', async () => {
    const url = server.url.replace('//', '//ada:l%C3%B6ve@');
    await (await connected({ urls: [url], patienceMs: 200 })).render(upscale(), remotePicture(64, 64), null);
    const expected = `Basic ${Buffer.from('ada:löve').toString('base64')}`;
    expect(new Set(server.seen.map(({ authorization }) => authorization))).toEqual(new Set([expected]));
    await server.stop();
    const ended = enhancer!.render(upscale(), remotePicture(64, 64), null);
    await expect(ended).rejects.toThrow(ServerUnavailable);
    await expect(ended).rejects.not.toThrow(/ada|l%C3|löve/);
    await server.listen();
  });

  it('a model that the server lacks is refused at the start', async () => {
    const route = upscale();
    const renamed = {
      ...route,
      render: { ...route.render, remote: { ...route.render.remote!, version: 9 } },
    };
    const starting = startEnhancer({ routes: () => [renamed] }, { ...NO_SERVER, urls: [server.url] });
    await expect(starting).rejects.toThrow(/^The stage upscale\/1\/x2-fast .* answers 404/);
  });

  it.each([
    [{ maxBatch: 8 }, 'the server takes batches of at most 4, the manifest says maxBatch 8'],
    [
      { kind: 'analyse', size: 64, outputs: { map: [1, 64, 64] } },
      "the server's model has no output map, which the manifest names",
    ],
  ])('a model that does not match the manifest is refused at the start', async (change, reason) => {
    const route = upscale();
    const changed = { ...route, render: { ...route.render, ...change } as typeof route.render };
    const starting = startEnhancer({ routes: () => [changed] }, { ...NO_SERVER, urls: [server.url] });
    await expect(starting).rejects.toThrow(reason);
  });
});

describe.skipIf(MISSING !== '')(`stages on a real Triton${MISSING}`, () => {
  let models: RemoteModels;
  let server: TritonServer;

  beforeAll(async () => {
    models = await RemoteModels.create('auto_enhance', 'upscale');
    await useOnnxRuntimeFromPython(models.repository);
    server = new TritonServer({ repository: models.repository });
    await server.start();
  });
  afterAll(async () => {
    await server?.close();
    await models?.remove();
  });

  it.each([
    ['upscale', 'low', 4],
    ['auto_enhance', 'high', 3],
  ] as const)('%s (%s), %i channels: matches local within 1 of 255', async (operation, level, channels) => {
    const image = remotePicture(400, 230, channels);
    const { expected, result } = await models.bothWays(server.url, operation, level, image);
    expect(largestDifference(result.data, expected.data)).toBeLessThanOrEqual(1);
  });
});
