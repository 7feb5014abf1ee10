import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as client from '../../../clients/js/src/node.js';
import { freePort } from '../../../src/infra/database/embedded/free-port.js';
import { newWebhookSecret, signWebhook } from '../../../src/kernel/webhooks/webhook-signature.js';
import { NODE_MODULES } from '../../../scripts/lib/paths.mjs';
import { CLIENT } from '../../support/clients/client-build.js';
import { codeBlock, codeBlocks } from '../../support/source/code-blocks.js';
import { exportedNames } from '../../support/source/exported-names.js';
import { solidFile } from '../../support/images/flow-drawn.js';
import { portrait } from '../../support/images/portrait.js';
import { SharedService } from '../../support/roles/shared-service.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { InstalledClient } from '../../support/clients/installed-client.js';
import { VERSION } from '../../../clients/js/src/version.js';
import { ListeningProgram } from '../../support/roles/listening-program.js';

const README = 'clients/js/README.md';
const PREAMBLE = `import { ImageEnhancement } from 'image-enhancement-client';
const client = new ImageEnhancement();
`;

/** Runs what the documents show, as a reader would. */
describe('the documents of the JavaScript client', () => {
  let service: SharedService;
  let installed: InstalledClient;
  let env: Record<string, string>;

  beforeAll(async () => {
    installed = await InstalledClient.create();
    service = await SharedService.join();
    const { account } = await service.client();
    env = { IMAGE_ENHANCEMENT_URL: service.baseUrl, IMAGE_ENHANCEMENT_API_KEY: account.key };
    for (const name of ['photo.jpg', 'other.jpg']) await installed.write(name, await portrait('jpeg'));
  });
  afterAll(async () => {
    await service?.close();
    await installed?.close();
  });

  it('have a quick start of at most five lines', async () => {
    const code = codeBlock(README, 'Quick start', 'js');
    expect(code.trim().split('\n').filter(Boolean).length).toBeLessThanOrEqual(5);
    const given = { API_KEY: env['IMAGE_ENHANCEMENT_API_KEY']!, BASE_URL: service.baseUrl };
    expect(await installed.node('start.mjs', code, given)).toBe('');
    expect((await readFile(installed.path('big.jpg'))).length).toBeGreaterThan(100);
  });

  it('show commands that install the client from a clone', async () => {
    // A separate clone, after its setup: meanwhile, others use the build of this one.
    const isSource = (path: string) => !path.startsWith(join(CLIENT, 'dist'));
    await cp(CLIENT, installed.path('clone', 'clients', 'js'), { recursive: true, filter: isSource });
    await symlink(NODE_MODULES, installed.path('clone', 'node_modules'));
    await mkdir(installed.path('fresh'));
    const shown = codeBlock(README, 'Quick start', 'bash');
    const commands = shown.replaceAll('/path/to/image-enhancement-service', installed.path('clone'));
    const use = "import { VERSION } from 'image-enhancement-client'; console.log(VERSION)";
    const line = `cd fresh && echo '{}' > package.json\n${commands}node --input-type=module -e "${use}"`;
    const offline = { npm_config_offline: 'true', npm_config_ignore_scripts: 'true' };
    const { code, stdout, stderr } = await installed.run(['bash', '-ec', line], { ...env, ...offline });
    expect(code, `${stdout}${stderr}`).toBe(0);
    expect(stdout.trim().split('\n').at(-1)).toBe(VERSION);
  });

  it('show how to report progress', async () => {
    const code = PREAMBLE + codeBlock(README, 'Progress, cancellation and timeouts', 'js');
    const lines = (await installed.node('progress.mjs', code, env)).trim().split('\n');
    expect(lines[0]).toBe('uploading 0 null');
    expect(lines.at(-1)).toBe('completed 1 null');
  });

  it('show the individual calls', async () => {
    const output = await installed.node(
      'parts.mjs',
      PREAMBLE + codeBlock(README, 'Individual calls', 'js'),
      env,
    );
    expect(output).toMatch(/^job_\w+ http/);
    expect(Number(output.trim().split('\n').at(-1))).toBeGreaterThan(0);
  });

  it('show how to create a batch of chains', async () => {
    const code = PREAMBLE + codeBlock(README, 'Chains and batches', 'js');
    expect((await installed.node('batch.mjs', code, env)).trim().split('\n').at(-1)).toBe('100%');
    expect((await readFile(installed.path('results.zip'))).toString('latin1', 0, 2)).toBe('PK');
  });

  it('show how to handle errors', async () => {
    const code = PREAMBLE + codeBlock(README, 'Error handling', 'js');
    expect(await installed.node('right.mjs', code, env)).toBe('');
    await installed.write('broken.jpg', 'no image');
    const broken = code.replace("'photo.jpg'", "'broken.jpg'");
    expect(await installed.node('wrong.mjs', broken, env)).toMatch(/^Another image, please: /);
    const poor = (await service.client({ enhancements: 0 })).account.key;
    const used = await installed.node('used.mjs', code, { ...env, IMAGE_ENHANCEMENT_API_KEY: poor });
    expect(used).toMatch(/^Used up; \w+ has room: http/);
  });

  it('show commands that work on the command line', async () => {
    await mkdir(installed.path('holiday', 'beach'), { recursive: true });
    for (const name of ['holiday/one.jpg', 'holiday/beach/two.jpg']) {
      await installed.write(name, await solidFile(20, 20, [10, 120, 200], 'jpeg'));
    }
    const shown = codeBlock(README, 'Command line', 'bash');
    const { code, stdout, stderr } = await installed.run(['bash', '-ec', shown], {
      ...env,
      npm_config_offline: 'true',
    });
    expect(code, `${stdout}${stderr}`).toBe(0);
    expect(stdout).toMatch(/^photo\.jpg → big\.png \(512×512, /);
    expect((await readdir(installed.path('better'))).toSorted()).toEqual([
      'one.auto_enhance.jpg',
      'two.auto_enhance.jpg',
    ]);
    expect((await readdir(installed.path('done'))).filter((name) => !name.startsWith('.'))).toEqual([
      'one.portrait.jpg',
    ]);
    expect(JSON.parse(stdout.trim().split('\n').at(-1)!)).toMatchObject({ plan: 'enterprise' });
  });

  describe.each([
    ['the README', 'readme-webhook.mjs', () => Promise.resolve(codeBlock(README, 'Webhooks', 'js'))],
    [
      'the example with Express',
      'express-webhook.mjs',
      () => readFile(join(CLIENT, 'examples', 'express-webhook.mjs'), 'utf8'),
    ],
  ])('the receiver of %s', (_name, file, read) => {
    it('accepts genuine requests and refuses all others', async () => {
      // Uses the installed dependency of the example, not one from a registry.
      const text = (await read()).replace(
        "from 'express'",
        `from '${join(NODE_MODULES, 'express', 'index.js')}'`,
      );
      await installed.write(file, text);
      const secret = newWebhookSecret();
      const program = await ListeningProgram.start([process.execPath, file], {
        port: await freePort(),
        cwd: installed.folder,
        env: { WEBHOOK_SECRET: secret },
      });
      try {
        const body =
          '{"id":"evt_1","type":"enhancement.completed","data":{"job":{"id":"job_1","resultUrl":"https://x"}}}';
        const post = async (secrets: string[], sent = body) => {
          const timestampSeconds = Math.floor(Date.now() / 1000);
          const headers = {
            ...signWebhook({ id: 'evt_1', timestampSeconds, body, secrets }),
            'content-type': 'application/json',
          };
          return (await fetch(`${program.url}/webhooks`, { method: 'POST', headers, body: sent })).status;
        };
        expect(await post([secret])).toBe(204);
        expect(await post([newWebhookSecret(), secret])).toBe(204);
        expect(await post([newWebhookSecret()])).toBe(400);
        expect(await post([secret], `${body} `)).toBe(400);
        await eventually('the event', () => (program.output.includes('https://x') ? { found: true } : {}));
        expect(program.errors).toBe('');
      } finally {
        await program.close();
      }
    });
  });

  describe('list everything in the package, and nothing else', () => {
    const exported = exportedNames(join(CLIENT, 'src', 'node.ts'));
    let page: string;
    let spans: Set<string>;
    beforeAll(async () => {
      page = await readFile(join(CLIENT, 'docs', 'reference.md'), 'utf8');
      spans = new Set([...page.matchAll(/`[^`]+`/g)].flatMap(([span]) => span.match(/[A-Za-z]\w*/g) ?? []));
    });

    it('every export, and every member of a class', () => {
      const missing = exported.flatMap(({ name, kind, members }) => {
        const names = kind === 'class' ? [name, ...members] : [name];
        return names.filter((each) => !spans.has(each));
      });
      expect(missing).toEqual([]);
    });

    it('every method of a client and its parts, and no others', () => {
      const one = new client.ImageEnhancement({ baseUrl: 'http://x', apiKey: 'ies_x' });
      const { batches, jobs, presets, sources, webhooks } = one;
      const parts = {
        '': one,
        batches,
        jobs,
        presets,
        sources,
        webhooks,
        endpoints: webhooks.endpoints,
        deliveries: webhooks.deliveries,
        callbackSecret: webhooks.callbackSecret,
      };
      for (const [part, value] of Object.entries(parts)) {
        const prototype = part === '' ? client.ImageEnhancement.prototype : value;
        const calls = Object.getOwnPropertyNames(Object.getPrototypeOf(prototype)).filter(
          (name) => name !== 'constructor',
        );
        expect(calls.length).toBeGreaterThan(0);
        expect(calls.filter((name) => !spans.has(name))).toEqual([]);
      }
      for (const [, path] of page.matchAll(/^\| `([a-z]\w+(?:\.\w+)?)\([^`]*`/gm)) {
        const isThere = [one, batches, jobs, presets, webhooks].some(
          (root) =>
            path!
              .split('.')
              .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], root) !==
            undefined,
        );
        expect(isThere, path).toBe(true);
      }
    });

    it('every type with exactly its fields', () => {
      const section = page.slice(page.indexOf('## Types'));
      const rows = [...section.matchAll(/^\| `(\w+)`\s*\| (.*?)\s*\|$/gm)].map(([, name, fields]) => {
        const [, listed = ''] = /^([^;]*)/.exec(fields!)!;
        return [name!, [...listed.matchAll(/`(\w+)`/g)].map(([, field]) => field!).toSorted()] as const;
      });
      const types = exported.filter(({ kind }) => kind === 'interface');
      expect(Object.fromEntries(rows)).toEqual(
        Object.fromEntries(types.map(({ name, members }) => [name, members.toSorted()])),
      );
    });

    it('only errors that exist', () => {
      const names = new Set(exported.map(({ name }) => name));
      const unknown = [...page.matchAll(/`(\w+Error)`/g)].filter(([, name]) => !names.has(name!));
      expect(unknown.map(([, name]) => name)).toEqual([]);
    });
  });

  it('have no code block without a test', () => {
    const run = [
      'Quick start',
      'Command line',
      'Progress, cancellation and timeouts',
      'Individual calls',
      'Chains and batches',
      'Error handling',
      'Webhooks',
    ];
    expect([...new Set(codeBlocks(README).map(({ headline }) => headline))]).toEqual(run);
  });
});
