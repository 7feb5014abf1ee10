import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONTRACT_TOOLS, missingTool } from '../../scripts/contract/tools.mjs';
import { portrait } from '../support/images/portrait.js';
import { SharedService } from '../support/roles/shared-service.js';

const MISSING = missingTool(CONTRACT_TOOLS.removebgNpm) || missingTool(CONTRACT_TOOLS.removebgPython);
const run = promisify(execFile);

/** Third-party packages for remove.bg, with the base URL and an API key of this service. */
describe.skipIf(MISSING !== '')(`published clients of remove.bg${MISSING}`, () => {
  let service: SharedService;
  let client: Awaited<ReturnType<SharedService['client']>>;
  let folder: string;
  beforeAll(async () => {
    service = await SharedService.join();
    client = await service.client();
    folder = await mkdtemp(join(tmpdir(), 'ies-removebg-'));
    await writeFile(join(folder, 'photo.jpg'), await portrait('jpeg'));
  });
  afterAll(async () => {
    await service?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const isCutout = async (name: string) => {
    const image = sharp(await readFile(join(folder, name)));
    expect(await image.metadata()).toMatchObject({ format: 'png', hasAlpha: true });
    expect((await image.stats()).isOpaque).toBe(false);
  };
  const used = async () => (await client.usage()).enhancements.used;

  it('work: the npm package remove.bg', async () => {
    // The package has a fixed base URL.
    const code = await readFile(CONTRACT_TOOLS.removebgNpm, 'utf8');
    await writeFile(join(folder, 'patched.cjs'), code.replace('https://api.remove.bg', service.baseUrl));
    const program = `require('./patched.cjs').removeBackgroundFromImageFile(
      { path: 'photo.jpg', apiKey: process.env.KEY, size: 'auto', type: 'person', outputFile: 'npm.png' },
    ).then(({ creditsCharged }) => console.log(creditsCharged), (error) => console.log(JSON.stringify(error)))`;
    const before = await used();
    const NODE_PATH = join(CONTRACT_TOOLS.folder, 'node_modules');
    const start = (KEY: string) =>
      run(process.execPath, ['-e', program], {
        cwd: folder,
        env: { PATH: process.env['PATH'], NODE_PATH, KEY },
      });
    const { stdout } = await start(client.account.key);
    expect(Number(stdout), stdout).toBe(1);
    await isCutout('npm.png');
    expect(await used()).toBe(before + 1);
    expect((await start('ies_wrong')).stdout).toMatch(/"title":.*API key/i);
  });

  it('work: the PyPI package removebg', async () => {
    const program = [
      'import os, removebg.removebg as client',
      'client.API_ENDPOINT = os.environ["URL"] + "/v1.0/removebg"',
      'client.RemoveBg(os.environ["KEY"], "errors.log").remove_background_from_img_file("photo.jpg")',
    ].join('\n');
    const before = await used();
    const env = { PATH: process.env['PATH'], URL: service.baseUrl, KEY: client.account.key };
    await run(CONTRACT_TOOLS.removebgPython, ['-c', program], { cwd: folder, env });
    await isCutout('photo.jpg_no_bg.png');
    expect(await used()).toBe(before + 1);
  });
});
