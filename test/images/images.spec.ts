import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildImages, BUILT_HERE, WITHOUT_CUDA } from '../../scripts/images/build-images.mjs';
import { imageSizes } from '../../scripts/images/image-sizes.mjs';
import { debianBase } from '../../scripts/images/stand-ins.mjs';
import { whyNoImages } from '../../scripts/images/tools.mjs';
import { PACKAGES as PACKED } from '../../scripts/lib/packed-packages.mjs';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { SetupError } from '../../scripts/lib/setup-error.mjs';
import { freePort } from '../../src/infra/database/embedded/free-port.js';
import { VERSION } from '../../src/kernel/version.js';
import { imageConfig, imageLayers, ImageProcess } from '../support/containers/image-process.js';
import { createTestDatabase } from '../support/database/postgres.js';
import { BUSY_ORDER, busyFile, solidFile } from '../support/images/flow-drawn.js';
import { createFlowAccount } from '../support/roles/flow-account.js';
import { ensureFlowBuild } from '../support/roles/flow-build.js';
import { FlowClient } from '../support/roles/flow-client.js';
import { FlowRedis, hasRedis } from '../support/roles/flow-redis.js';
import { eventually } from '../support/roles/flow-wait.js';
import { TraceCollector } from '../support/telemetry/trace-collector.js';

const LIMIT_BYTES: Readonly<Record<string, number>> = {
  api: 250_000_000,
  dispatcher: 250_000_000,
  worker: 500_000_000,
  'all-in-one': 500_000_000,
};

/** Loaded only with OTEL_EXPORTER_OTLP_ENDPOINT. */
const TRACING = ['@opentelemetry/sdk-trace-base', '@opentelemetry/exporter-trace-otlp-http'];

interface BillOfMaterials {
  readonly bomFormat: string;
  readonly components: readonly { readonly name: string }[];
}

const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** Why images cannot be built here; undefined when they can. The first build needs a mirror of Debian. */
async function reason(): Promise<string | undefined> {
  const missing = whyNoImages();
  if (missing !== undefined) return missing;
  try {
    await debianBase(say);
    return undefined;
  } catch (error) {
    if (error instanceof SetupError) return error.message;
    throw error;
  }
}

const whyNot = await reason();

describe.skipIf(whyNot !== undefined)(`the images (${whyNot ?? 'with Buildah'})`, () => {
  let built: Awaited<ReturnType<typeof buildImages>>;
  let home: string;
  const started: ImageProcess[] = [];
  const nameOf = (target: string): string => built.images.find((image) => image.target === target)!.name;

  beforeAll(async () => {
    await ensureFlowBuild();
    built = await buildImages([...BUILT_HERE, WITHOUT_CUDA], say);
  }, 600_000);
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'ies-images-'));
    mkdirSync(join(home, 'secrets'));
    chmodSync(join(home, 'secrets'), 0o755);
  });
  afterEach(async () => {
    for (const image of started.splice(0).toReversed()) await image.close();
    await rm(home, { recursive: true, force: true });
  });

  function start(
    target: string,
    env: Readonly<Record<string, string>>,
    command?: readonly string[],
  ): ImageProcess {
    const run = {
      image: nameOf(target),
      dataDir: join(home, 'data'),
      secretsDir: join(home, 'secrets'),
      env,
    };
    const image = ImageProcess.start({ ...run, ...(command !== undefined && { command }) });
    started.push(image);
    return image;
  }

  /** Settings for models in the volume, of which fewer warm up than the image has. */
  function modelsInVolume(): Readonly<Record<string, string>> {
    cpSync(join(ROOT, 'models', 'upscale'), join(home, 'data', 'models', 'upscale'), { recursive: true });
    return { MODELS_DIR: '/data/models' };
  }

  /** The whole service in one container, and a client with the key of its first start. */
  async function startAllInOne(
    port: number,
    env: Readonly<Record<string, string>> = {},
  ): Promise<ImageProcess> {
    const image = start('all-in-one', { PORT: String(port), INFERENCE_DEVICE: 'cpu', ...env });
    await eventually('the service to be ready', () => {
      if (/^Ready: /m.test(image.stdout)) return { found: true };
      if (/^Could not|could not start/m.test(image.stderr)) throw new Error(image.stderr);
      return { seen: image.stderr.slice(-1_000) };
    });
    return image;
  }

  it('stay within their size limits', () => {
    const limited = built.images.filter(({ target }) => BUILT_HERE.includes(target));
    expect(limited).toHaveLength(BUILT_HERE.length);
    for (const { target, bytes } of imageSizes(limited))
      expect(bytes, `${target} with Node.js ${built.nodeVersion}`).toBeLessThan(LIMIT_BYTES[target]!);
  });

  it.each(BUILT_HERE)('declare how to run %s', (target) => {
    const config = imageConfig(nameOf(target));
    expect(config).toMatchObject({ User: '1000:1000', StopSignal: 'SIGTERM', Volumes: { '/data': {} } });
    expect(config.Healthcheck.Test.slice(0, 3)).toEqual(['CMD', 'node', '/app/healthcheck.mjs']);
    expect(config.Labels).toMatchObject({
      'org.opencontainers.image.version': VERSION,
      'org.opencontainers.image.licenses': 'Apache-2.0',
    });
  });

  it('have the same layers when they are rebuilt', async () => {
    const before = imageLayers(nameOf('dispatcher'));
    expect(before.length).toBeGreaterThan(3);
    await buildImages(['dispatcher'], say, ['--no-cache']);
    expect(imageLayers(nameOf('dispatcher'))).toEqual(before);
  });

  it('for GPUs run ONNX Runtime as an unprivileged user (here without CUDA)', async () => {
    const name = nameOf(WITHOUT_CUDA);
    expect(imageConfig(name)).toMatchObject({ User: '1000:1000', StopSignal: 'SIGTERM' });
    expect(imageConfig(name).Env).toContain('INFERENCE_DEVICE=cuda');
    const script = `console.log((await import('onnxruntime-node')).env.versions.node, process.getuid())`;
    const command = ['node', '--input-type=module', '-e', script];
    const image = start(WITHOUT_CUDA, {}, command);
    expect(await image.ended, image.stderr).toBe(0);
    expect(image.stdout).toMatch(/^1\.\d+\.\d+ 1000\n$/);
  });

  it('run everything in one read-only container as an unprivileged user, and drain', async () => {
    const port = await freePort();
    const image = await startAllInOne(port);
    expect(readFileSync(`/proc/${image.pid}/status`, 'utf8')).toMatch(/^Uid:\s+1000\s+1000\s+1000\s+1000$/m);
    expect(image.exec('touch', '/app/file').output).toContain('Read-only file system');
    expect(image.exec('touch', '/data/file', '/tmp/file')).toMatchObject({ status: 0 });
    expect(image.health()).toBe(0);
    const bill = JSON.parse(image.exec('cat', '/app/sbom.cdx.json').output) as BillOfMaterials;
    expect(bill.bomFormat).toBe('CycloneDX');
    const listed = bill.components.map(({ name }) => name);
    expect(listed).toEqual(expect.arrayContaining([...PACKED, ...TRACING, 'sharp', 'onnxruntime-node']));
    expect(listed).not.toContain('vitest');

    const key = /demo key (ies_\S+)/.exec(image.stdout)![1]!;
    const client = new FlowClient(`http://127.0.0.1:${port}`, key);
    const { job, bytes } = await client.enhance(await solidFile(20, 20, [120, 90, 60]), {
      operation: 'upscale',
    });
    expect(job).toMatchObject({ status: 'completed', result: { width: 40, bytes: bytes.length } });

    const { url } = await client.upload(await busyFile(320));
    const { id } = await client.create(url, BUSY_ORDER);
    await client.until(id, 'processing', 'completed');
    expect(await image.stop()).toBe(0);

    // The volume holds everything: keys, database, images, and the job that may not have ended.
    await startAllInOne(port, modelsInVolume());
    expect(await client.completed(id)).toMatchObject({ status: 'completed' });
    expect(await client.job(job.id)).toMatchObject({ status: 'completed' });
  });

  describe.skipIf(!hasRedis)('one per role (needs redis-server)', () => {
    let redis: FlowRedis;
    let database: Awaited<ReturnType<typeof createTestDatabase>>;
    let collector: TraceCollector;
    beforeAll(async () => {
      redis = await FlowRedis.start();
      database = await createTestDatabase();
      collector = await TraceCollector.start();
    });
    afterAll(async () => {
      await collector?.close();
      await database?.drop();
      await redis?.close();
    });

    it('work together with PostgreSQL, Redis and secrets in files, and send traces', async () => {
      const secret = (name: string, value: string): string => {
        writeFileSync(join(home, 'secrets', name), `${value}\n`, { mode: 0o444 });
        return `/run/secrets/${name}`;
      };
      const port = await freePort();
      const common = {
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        DATABASE_URL_FILE: secret('database_url', database.databaseUrl),
        REDIS_URL_FILE: secret('redis_url', redis.redisUrl),
        URL_SIGNING_KEY_FILE: secret('url_signing_key', 's'.repeat(40)),
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      };
      const sealing = { SEALING_KEY_FILE: secret('sealing_key', 'k'.repeat(40)) };
      const roles = [
        start('api', { ...common, ...sealing, PORT: String(port) }),
        start('worker', {
          ...common,
          ...modelsInVolume(),
          WORKER_PORT: String(await freePort()),
          INFERENCE_DEVICE: 'cpu',
        }),
        start('dispatcher', { ...common, ...sealing, DISPATCHER_PORT: String(await freePort()) }),
      ];
      await Promise.all(roles.map((role) => role.untilHealthy()));
      const { key } = await createFlowAccount(database.databaseUrl);
      const client = new FlowClient(common.PUBLIC_URL, key);
      const { job } = await client.enhance(await solidFile(20, 20, [120, 90, 60]), {
        operation: 'upscale',
      });
      expect(job).toMatchObject({ status: 'completed', attempts: 1 });
      const codes = await Promise.all(roles.map((role) => role.stop()));
      const said = roles.map(({ stdout, stderr }) => `${stdout}${stderr}`.slice(-1_000)).join('\n');
      expect(codes, said).toEqual([0, 0, 0]);

      // Traces still unsent go out while a role stops. The dispatcher had nothing to send, but started.
      const created = collector.spans.find(({ name }) => name === 'POST /api/ai/enhance');
      expect(created).toMatchObject({ service: 'ies-api', isError: false });
      const enhanced = collector.of(created!.traceId).find(({ name }) => name === 'enhance upscale');
      expect(enhanced).toMatchObject({ service: 'ies-worker', parentSpanId: created!.spanId });
      expect(said).not.toContain('traces could not be sent');
    });

    it('include the admin command line', async () => {
      const admin = start('api', { DATABASE_URL: database.databaseUrl }, [
        'node',
        'dist/main.admin.js',
        'migrate',
      ]);
      expect(await admin.ended, admin.stderr).toBe(0);
    });
  });
});
