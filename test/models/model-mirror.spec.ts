import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DeleteObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { type Config, readConfig } from '../../src/config/env.js';
import { mirroredModels } from '../../src/models/mirror/mirrored-models.js';
import type { ModelMirror } from '../../src/models/mirror/model-mirror.js';
import { loadCatalog } from '../../src/models/repository/load-catalog.js';
import { ensureFlowBuild } from '../support/roles/flow-build.js';
import { S3Server } from '../support/storage/s3-server.js';

const COMMITTED = join(ROOT, 'models', 'auto_enhance', '1');

describe('a model repository in S3', () => {
  let server: S3Server;
  let s3: S3Client;
  let dataDir: string;
  let prefix: string;
  let warnings: string[];
  let mirror: ModelMirror | undefined;

  beforeAll(async () => {
    server = await S3Server.start();
    s3 = server.client();
    for (const [name, value] of Object.entries(server.credentials)) vi.stubEnv(name, value);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    s3?.destroy();
    await server?.close();
  });
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'ies-mirror-'));
    prefix = `models-${dataDir.slice(-6)}`;
    warnings = [];
  });
  afterEach(async () => {
    mirror?.close();
    mirror = undefined;
    await rm(dataDir, { recursive: true });
  });

  function config(): Config {
    const { OBJECT_STORE_URL: _, ...server_ } = server.environment();
    return readConfig({ ...server_, DATA_DIR: dataDir, MODELS_URL: `s3://${server.bucket}/${prefix}` });
  }

  async function begun(): Promise<ModelMirror> {
    mirror = (await mirroredModels(config(), (_, message) => warnings.push(message)))!;
    return mirror;
  }

  const put = (name: string, Body: string | Buffer): Promise<unknown> =>
    s3.send(new PutObjectCommand({ Bucket: server.bucket, Key: `${prefix}/${name}`, Body }));
  const drop = (name: string): Promise<unknown> =>
    s3.send(new DeleteObjectCommand({ Bucket: server.bucket, Key: `${prefix}/${name}` }));

  /** @param without a file that is still being uploaded */
  async function upload(version: number, without?: string): Promise<void> {
    for (const name of await readdir(COMMITTED))
      if (name !== without)
        await put(`auto_enhance/${version}/${name}`, await readFile(join(COMMITTED, name)));
  }

  const graph = async (): Promise<string> =>
    (await readdir(COMMITTED)).find((name) => name.endsWith('.onnx'))!;

  /** What would serve, as operation and version, and what is refused. */
  async function found(): Promise<{ serving: string[]; refused: string[] }> {
    const catalog = await loadCatalog(config().modelsDir);
    return {
      serving: catalog.serving().map(({ manifest, version }) => `${manifest.operation}/${version}`),
      refused: catalog.refusals.map(({ message }) => message),
    };
  }

  it('is copied before the models are loaded, and follows changes', async () => {
    await upload(1);
    const current = await begun();
    expect(await found()).toEqual({ serving: ['auto_enhance/1'], refused: [] });

    await upload(2);
    await current.update();
    expect(await found()).toEqual({ serving: ['auto_enhance/2'], refused: [] });

    for (const name of await readdir(COMMITTED)) await drop(`auto_enhance/2/${name}`);
    await current.update();
    expect(await found()).toEqual({ serving: ['auto_enhance/1'], refused: [] });
    expect(warnings).toEqual([]);
    expect((await readdir(config().modelsDir)).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('waits for an upload to end, and refuses files that stay damaged', async () => {
    await upload(1);
    const current = await begun();
    await upload(2, await graph());
    await current.update();
    expect(await found()).toEqual({ serving: ['auto_enhance/1'], refused: [] });
    await put(`auto_enhance/2/${await graph()}`, 'half of it');
    await current.update();
    expect((await found()).refused).toEqual([]);
    await current.update();
    const { serving, refused } = await found();
    expect(serving).toEqual(['auto_enhance/1']);
    expect(refused).toEqual([expect.stringMatching(/^auto_enhance\/2 is not served: .* has sha256 /)]);
    await upload(2);
    await current.update();
    expect(await found()).toEqual({ serving: ['auto_enhance/2'], refused: [] });
  });

  it('reports once that a version is not served because no operation can have that name', async () => {
    await upload(1);
    await put('auto-enhance/2/manifest.json', '{}');
    const current = await begun();
    await current.update();
    expect(await found()).toEqual({ serving: ['auto_enhance/1'], refused: [] });
    expect(warnings).toEqual([
      expect.stringMatching(
        /^a version at s3:.* is not served: the name of an operation folder must start with/,
      ),
    ]);
  });

  it('repairs a damaged copy at the next start', async () => {
    await upload(1);
    (await begun()).close();
    await writeFile(join(config().modelsDir, 'auto_enhance', '1', await graph()), 'damaged');
    expect((await found()).serving).toEqual([]);
    await begun();
    expect(await found()).toEqual({ serving: ['auto_enhance/1'], refused: [] });
  });

  it('can be copied to one folder by several processes', async () => {
    await upload(1);
    const others = await Promise.all([begun(), begun(), begun()]);
    for (const other of others) other.close();
    expect(await found()).toEqual({ serving: ['auto_enhance/1'], refused: [] });
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('leaves no incomplete version behind after %s', async (signal) => {
    await ensureFlowBuild();
    const module = pathToFileURL(join(ROOT, 'dist/models/mirror/model-mirror.js')).href;
    const folder = join(dataDir, 'models');
    const program = `
      const { writeFile } = await import('node:fs/promises');
      const { ModelMirror } = await import(${JSON.stringify(module)});
      const remote = {
        url: 's3://slow',
        files: async () => [{ name: 'auto_enhance/1/manifest.json', etag: 'a', sizeBytes: 2 }],
        download: async (_, path) => {
          await writeFile(path, '{}');
          console.log('downloading');
          await new Promise(() => setInterval(() => {}, 1000));
        },
        close: () => {},
      };
      await new ModelMirror(remote, ${JSON.stringify(folder)}, () => {}).begin();`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    expect(await readdir(folder)).toEqual([expect.stringMatching(/^\.draft-/)]);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([null, signal]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('reports what is wrong when there is nothing to serve', async () => {
    await expect(begun()).rejects.toThrow(
      `The models at s3://images/${prefix} cannot be copied: there is no <operation>/<version>/manifest.json`,
    );
  });

  it('serves the last copy while the store is down', async () => {
    await upload(1);
    (await begun()).close();
    await server.cut();
    try {
      const current = await begun();
      expect(await found()).toEqual({ serving: ['auto_enhance/1'], refused: [] });
      await current.update();
      expect(warnings).toEqual([
        expect.stringMatching(/^could not copy the models at .*; using the last copy$/),
        expect.stringMatching(/^could not look for models at /),
      ]);
    } finally {
      await server.mend();
    }
  });
});
