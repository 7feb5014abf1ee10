import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { InstalledClient } from '../support/clients/installed-client.js';
import { portrait } from '../support/images/portrait.js';
import { SharedService } from '../support/roles/shared-service.js';
import { codeBlock } from '../support/source/code-blocks.js';

const PAGE = 'docs/quickstart.md';
const PYTHON = { PYTHONPATH: join(ROOT, 'clients', 'python', 'src'), PYTHONDONTWRITEBYTECODE: '1' };

/** Runs what the page shows, as a reader would. */
describe('the quickstart', () => {
  let service: SharedService;
  let installed: InstalledClient;
  let env: Record<string, string>;

  beforeAll(async () => {
    installed = await InstalledClient.create();
    service = await SharedService.join();
    const { account } = await service.client();
    env = { IMAGE_ENHANCEMENT_URL: service.baseUrl, IMAGE_ENHANCEMENT_API_KEY: account.key };
    await installed.write('photo.jpg', await portrait('jpeg'));
  });
  afterAll(async () => {
    await service?.close();
    await installed?.close();
  });

  it('enhances an image with curl', async () => {
    const names = codeBlock(PAGE, 'Start the service', 'bash')
      .replace('http://localhost:3000', service.baseUrl)
      .replace('ies_your_key', env['IMAGE_ENHANCEMENT_API_KEY']!);
    const shown = `${names}${codeBlock(PAGE, 'Send one request', 'bash')}`;
    const { code, stdout, stderr } = await installed.run(['bash', '-ec', shown], {});
    expect(code, `${stdout}${stderr}`).toBe(0);
    const image = await readFile(installed.path('result.jpg'));
    expect(image.subarray(0, 3).toString('hex')).toBe('ffd8ff');
  });

  it('creates one job when a request is repeated with an idempotency key', async () => {
    const shown = codeBlock('docs/idempotency.md', 'Send a key', 'bash');
    const { code, stdout, stderr } = await installed.run(['bash', '-ec', shown], env);
    expect(code, `${stdout}${stderr}`).toBe(0);
    const lines = stdout.trim().split('\n');
    const ids = lines.map((line) => (JSON.parse(line) as { id: string }).id);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  it('enhances an image with JavaScript', async () => {
    expect(await installed.node('quickstart.mjs', codeBlock(PAGE, 'Use JavaScript', 'js'), env)).toMatch(
      /^\d+ \d+\n$/,
    );
  });

  it('enhances an image with Python', async () => {
    await installed.write('quickstart.py', codeBlock(PAGE, 'Use Python', 'python'));
    const { code, stdout, stderr } = await installed.run(['python3', 'quickstart.py'], { ...env, ...PYTHON });
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^\d+ \d+\n$/);
  });
});
