import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NODE_MODULES } from '../../../scripts/lib/paths.mjs';
import { openBrowser } from '../../support/browser/browser.js';
import { CLIENT } from '../../support/clients/client-build.js';
import { smallPhoto } from '../../support/images/client-picture.js';
import { InstalledClient } from '../../support/clients/installed-client.js';
import { SharedService } from '../../support/roles/shared-service.js';

const TASK = `
const client = new ImageEnhancement();
const result = await client.enhance('photo.png', { operation: 'upscale', level: 'low' });
const bytes = await result.bytes();
console.log(JSON.stringify({ status: result.job.status, width: result.info.width, whole: bytes.length === result.info.bytes, isClass: client instanceof ImageEnhancement }));
`;
const PAGE = `<!doctype html><input type="file"><script type="module">
import { ImageEnhancement } from '/page/dist/esm/index.js';
Object.assign(globalThis, { ImageEnhancement });
</script>`;
const DONE = { status: 'completed', width: 96, whole: true, isClass: true };

const DOM = { lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'], types: [] };
const NODE = { lib: ['es2022'], types: ['node'], typeRoots: [join(NODE_MODULES, '@types')] };

const isThere = (program: string) => spawnSync(program, ['--version']).status === 0;

describe('the installed package', () => {
  let service: SharedService;
  let installed: InstalledClient;
  let env: Record<string, string>;

  beforeAll(async () => {
    installed = await InstalledClient.create();
    service = await SharedService.join();
    const { account } = await service.client();
    await installed.write('photo.png', await smallPhoto());
    env = { IMAGE_ENHANCEMENT_URL: service.baseUrl, IMAGE_ENHANCEMENT_API_KEY: account.key };
  });
  afterAll(async () => {
    await service?.close();
    await installed?.close();
  });

  it('contains only the files that it needs', () => {
    const listed = JSON.parse(installed.npm('pack', '--ignore-scripts', '--dry-run', '--json', CLIENT)) as [
      { files: { path: string }[]; unpackedSize: number },
    ];
    const paths = listed[0].files.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        'README.md',
        'CHANGELOG.md',
        'LICENSE',
        'docs/reference.md',
        'docs/command-line.md',
        'examples/batch-folder.mjs',
        'examples/express-webhook.mjs',
        'dist/esm/index.js',
        'dist/esm/node.d.ts',
        'dist/cjs/node.js',
        'dist/esm/cli/main.js',
      ]),
    );
    expect(
      paths.filter(
        (path) => !/^(dist|docs|examples)\/|^(README|CHANGELOG)\.md$|^LICENSE$|^package\.json$/.test(path),
      ),
    ).toEqual([]);
    expect(paths.filter((path) => /\/\./.test(path))).toEqual([]);
    expect(listed[0].unpackedSize).toBeLessThan(700_000);
  });

  it('runs as an ES module', async () => {
    const text = `import { ImageEnhancement } from 'image-enhancement-client';\n${TASK}`;
    expect(JSON.parse(await installed.node('esm.mjs', text, env))).toEqual(DONE);
  });

  it('runs as CommonJS', async () => {
    const text = `const { ImageEnhancement } = require('image-enhancement-client');\n(async () => {${TASK}})();`;
    expect(JSON.parse(await installed.node('cjs.cjs', text, env))).toEqual(DONE);
  });

  const others = [
    ['Deno', 'deno', ['run', '--quiet', '--allow-all', '--node-modules-dir=manual']],
    ['Bun', 'bun', ['run']],
  ] as const;
  for (const [name, program, args] of others) {
    it.skipIf(!isThere(program))(`runs in ${name} (needs the program "${program}")`, async () => {
      const text = `import { ImageEnhancement } from 'image-enhancement-client';\n${TASK}`;
      await installed.write('other.mjs', text);
      const { code, stdout, stderr } = await installed.run([program, ...args, 'other.mjs'], env);
      expect(code, stderr).toBe(0);
      expect(JSON.parse(stdout)).toEqual(DONE);
    });
  }

  it.each([
    ['behind', -600],
    ['ahead', 600],
  ])('works with a clock that is ten minutes %s', async (_name, offsetSeconds) => {
    const clock = `
      const Real = Date;
      globalThis.Date = class extends Real {
        constructor(...args) { args.length === 0 ? super(Real.now() + ${offsetSeconds * 1000}) : super(...args); }
        static now() { return Real.now() + ${offsetSeconds * 1000}; }
      };`;
    await installed.write('clock.mjs', clock);
    const text = `import { ImageEnhancement } from 'image-enhancement-client';
      if (Math.abs(Date.now() - performance.timeOrigin - performance.now()) < 500_000) throw new Error('right');
      ${TASK}`;
    expect(
      JSON.parse(await installed.node('wrong-clock.mjs', text, env, ['--import', './clock.mjs'])),
    ).toEqual(DONE);
  });

  describe.each([
    ['an ES module', 'consumer.mts', 'nodenext', 'nodenext', DOM],
    ['CommonJS', 'consumer.cts', 'nodenext', 'nodenext', DOM],
    ['a bundler', 'consumer.ts', 'esnext', 'bundler', DOM],
    ['a project of Node.js, without those of browsers', 'consumer.mts', 'nodenext', 'nodenext', NODE],
  ])('types in %s', (_name, file, module, moduleResolution, globals) => {
    const CONSUMER = `
      import { ImageEnhancement, QuotaExceededError, verifyWebhook, type Job, type WebhookEvent } from 'image-enhancement-client';
      export async function use(client: ImageEnhancement): Promise<number> {
        const result = await client.enhance(new Blob([]), { operation: 'upscale', level: 'high', output: { format: 'png' } });
        const jobs: Job[] = await client.jobs.list({ status: 'failed' }).all();
        for await (const job of client.jobs.list()) jobs.push(job);
        const chain = { operations: [{ operation: 'smooth_skin' }, { operation: 'upscale', level: 'high' }] } as const;
        const batch = await client.batches.create({ ...chain, sourceUrls: ['x'], onQuota: 'partial' });
        console.log(batch.skipped.length, (await client.batches.wait(batch.id)).counts.failed);
        new Response(client.batches.results(batch.id).stream());
        const page = await client.webhooks.endpoints.list();
        const event: WebhookEvent = await verifyWebhook('{}', 't=1,v1=x', 'whsec_x');
        if (event.type === 'job.completed') console.log(event.data.job.resultUrl.length);
        if (event.type === 'upload.finished') console.log(event.data.upload.sha256);
        try { await client.usage({ signal: AbortSignal.timeout(5) }); } catch (error) {
          if (error instanceof QuotaExceededError) console.log(error.resetsAt?.getTime(), error.upgrade?.plan);
        }
        return result.info.width + page.data.length;
      }
      // @ts-expect-error -- a level that there is not
      void ((client: ImageEnhancement) => client.enhance('x', { operation: 'upscale', level: 'extreme' }));
      // @ts-expect-error -- an operation that there is not
      void ((client: ImageEnhancement) => client.enhance('x', { operation: 'sharpen' }));
      // @ts-expect-error -- an operation of a chain that there is not
      void ((client: ImageEnhancement) => client.enhance('x', { operations: [{ operation: 'sharpen' }] }));
      // @ts-expect-error -- the operation is missing
      void ((client: ImageEnhancement) => client.enhance('x', {}));
    `;

    it('pass the type checker', async () => {
      await installed.write(file, CONSUMER);
      const options = {
        noEmit: true,
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        target: 'es2022',
        ...globals,
        module,
        moduleResolution,
      };
      const project = installed.path('tsconfig.json');
      await installed.write('tsconfig.json', JSON.stringify({ compilerOptions: options, files: [file] }));
      const compiler = join(NODE_MODULES, 'typescript', 'bin', 'tsc');
      const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', project], { encoding: 'utf8' });
      expect(`${stdout}${status}`).toBe('0');
    });
  });

  it('runs in a browser page, with a chosen file and a key', async () => {
    const browser = await openBrowser({ width: 800, height: 600 });
    try {
      // The page has the origin of the service, which accepts no requests from pages of other origins.
      await browser.context.route(`${service.baseUrl}/page/**`, async (route) => {
        const { pathname } = new URL(route.request().url());
        if (pathname === '/page/') {
          await route.fulfill({ contentType: 'text/html', body: PAGE });
          return;
        }
        const body = await readFile(
          installed.path('node_modules', 'image-enhancement-client', pathname.slice('/page/'.length)),
        );
        await route.fulfill({ contentType: 'text/javascript', body });
      });
      const page = await browser.context.newPage();
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(error.message));
      await page.goto(`${service.baseUrl}/page/`);
      await page.setInputFiles('input', installed.path('photo.png'));
      const seen = await page.evaluate(async (apiKey) => {
        const { ImageEnhancement } =
          globalThis as unknown as typeof import('../../../clients/js/src/index.js');
        const client = new ImageEnhancement({ apiKey });
        const file = document.querySelector('input')!.files![0]!;
        const phases: string[] = [];
        // More than the connections that a page has.
        const results = await Promise.all(
          Array.from({ length: 8 }, () =>
            client.enhance(file, {
              operation: 'upscale',
              level: 'low',
              onProgress: ({ phase }) => phases.push(phase),
            }),
          ),
        );
        const blob = await results[0]!.blob();
        const picture = await createImageBitmap(blob);
        const noFiles = await client.upload('photo.png').catch((error: { code: string }) => error.code);
        return {
          count: new Set(results.map(({ job }) => job.id)).size,
          width: picture.width,
          noFiles,
          phases: [...new Set(phases)],
        };
      }, env['IMAGE_ENHANCEMENT_API_KEY']!);
      expect(seen).toMatchObject({ count: 8, width: 96, noFiles: 'no_file_system' });
      expect(seen.phases).toEqual(expect.arrayContaining(['uploading', 'completed']));
      expect(faults).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
