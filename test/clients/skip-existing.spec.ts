import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { InstalledClient } from '../support/clients/installed-client.js';
import { smallPhoto } from '../support/images/client-picture.js';
import { solidFile } from '../support/images/flow-drawn.js';
import { SharedService } from '../support/roles/shared-service.js';
import { codeBlock } from '../support/source/code-blocks.js';
import { shapeOf } from '../support/source/shape-of.js';

const PYTHON = { PYTHONPATH: join(ROOT, 'clients', 'python', 'src'), PYTHONDONTWRITEBYTECODE: '1' };

interface Line {
  readonly file: string;
  readonly output: string;
  readonly skipped?: boolean;
}

/** Both command lines, with the same files and the same service. */
describe('--skip-existing', () => {
  let service: SharedService;
  let installed: InstalledClient;
  beforeAll(async () => {
    installed = await InstalledClient.create();
    service = await SharedService.join();
  });
  afterAll(async () => {
    await service?.close();
    await installed?.close();
  });

  describe.each(['JavaScript', 'Python'])('in %s', (language) => {
    const folder = language.toLowerCase();
    let env: Record<string, string>;
    beforeAll(async () => {
      const { account } = await service.client();
      env = { ...PYTHON, IMAGE_ENHANCEMENT_URL: service.baseUrl, IMAGE_ENHANCEMENT_API_KEY: account.key };
      await mkdir(installed.path(folder, 'in'), { recursive: true });
      await installed.write(`${folder}/in/a.png`, await smallPhoto());
      // A JPEG, so its result does not have the extension that the name of the source suggests.
      await installed.write(`${folder}/in/b.png`, await solidFile(20, 20, [200, 120, 10], 'jpeg'));
    });

    const run = (...args: string[]) => {
      const program =
        language === 'Python'
          ? ['python3', '-m', 'image_enhancement']
          : [installed.path('node_modules', '.bin', 'image-enhancement-client')];
      return installed.run([...program, ...args], env);
    };
    const enhance = async (...args: string[]) => {
      const { code, stdout, stderr } = await run('enhance', ...args, '--json');
      expect(code, stderr).toBe(0);
      const lines = stdout.split('\n').filter((line) => line !== '');
      return lines.map((line) => JSON.parse(line) as Line);
    };
    const skippedOf = (lines: readonly Line[]) =>
      lines.filter(({ skipped }) => skipped === true).map(({ output }) => output);
    const used = async () => {
      const { stdout } = await run('usage', '--json');
      return (JSON.parse(stdout) as { enhancements: { used: number } }).enhancements.used;
    };

    it('leaves out images whose result exists, and enhances new ones', async () => {
      const args = [`${folder}/in/*`, '-o', `${folder}/out/`];
      expect(skippedOf(await enhance(...args, '--skip-existing'))).toEqual([]);
      const results = [`${folder}/out/a.auto_enhance.png`, `${folder}/out/b.auto_enhance.jpg`];
      const refused = await run('enhance', ...args);
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('with --skip-existing, or') });
      const before = await used();
      const again = await enhance(...args, '--skip-existing');
      expect(skippedOf(again).toSorted()).toEqual(results);
      const shown = JSON.parse(
        codeBlock('clients/js/docs/command-line.md', 'An image that was skipped', 'json'),
      ) as unknown;
      expect(again.map((line) => shapeOf(line))).toEqual([shapeOf(shown), shapeOf(shown)]);
      expect(skippedOf(await enhance(...args, '--skip-existing', '--dry-run'))).toHaveLength(2);
      const words = await run('enhance', ...args, '--skip-existing');
      expect(words.stdout).toContain(`${folder}/in/a.png: skipped, because ${results[0]} exists\n`);
      expect(await used()).toBe(before);
      await installed.write(`${folder}/in/c.png`, await smallPhoto());
      expect(await enhance(...args, '--skip-existing')).toHaveLength(3);
      expect(await used()).toBe(before + 1);
      expect(await readdir(installed.path(folder, 'out'))).toHaveLength(3);
    });

    it('applies to a single file, and not to results in another format than the options say', async () => {
      const image = `${folder}/in/a.png`;
      await mkdir(installed.path(folder, 'one'), { recursive: true });
      await installed.write(`${folder}/one/a.auto_enhance.png`, 'mine');
      const file = `${folder}/one/a.auto_enhance.png`;
      expect(skippedOf(await enhance(image, '-o', file, '--skip-existing'))).toEqual([file]);
      const args = ['-o', `${folder}/one/`, '--skip-existing', '--format', 'webp'];
      expect(skippedOf(await enhance(image, ...args))).toEqual([]);
      expect(await readFile(installed.path(file), 'utf8')).toBe('mine');
      const both = await run('enhance', image, '-o', file, '--skip-existing', '--force');
      expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('--skip-existing') });
    });

    it('leaves out images of a folder whose results no journal has', async () => {
      const out = `${folder}/begun`;
      await enhance(`${folder}/in/a.png`, '-o', `${out}/`);
      const before = await used();
      const lines = await enhance(`${folder}/in`, '--out', out, '--skip-existing');
      expect(skippedOf(lines)).toEqual([`${out}/a.auto_enhance.png`]);
      expect(await used()).toBe(before + lines.length - 1);
      await installed.write(`${folder}/in/d.png`, await smallPhoto());
      await enhance(`${folder}/in`, '--out', out, '--skip-existing');
      expect(await used()).toBe(before + lines.length);
    });
  });
});
