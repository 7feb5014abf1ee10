import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { InstalledClient } from '../support/clients/installed-client.js';
import { ScriptedService } from '../support/clients/scripted-service.js';

const PYTHON = { PYTHONPATH: join(ROOT, 'clients', 'python', 'src'), PYTHONDONTWRITEBYTECODE: '1' };

/** Both command lines refuse paths that cannot work before anything is sent, so that nothing is paid for in vain. */
describe('paths on the command lines', () => {
  let service: ScriptedService;
  let installed: InstalledClient;

  beforeAll(async () => {
    installed = await InstalledClient.create();
    service = await ScriptedService.start();
    await mkdir(installed.path('photos'));
    for (const name of ['a.jpg', 'photos/a.jpg']) await installed.write(name, 'an image');
  });
  beforeEach(() => void service.seen.splice(0));
  afterAll(async () => {
    service?.close();
    await installed?.close();
  });

  describe.each(['JavaScript', 'Python'])('in %s', (language) => {
    const run = (args: readonly string[], wrapper: readonly string[] = []) => {
      const program =
        language === 'Python'
          ? ['python3', '-m', 'image_enhancement']
          : [installed.path('node_modules', '.bin', 'image-enhancement-client')];
      const env = { ...PYTHON, IMAGE_ENHANCEMENT_URL: service.baseUrl, IMAGE_ENHANCEMENT_API_KEY: 'ies_x' };
      return installed.run([...wrapper, ...program, 'enhance', ...args], env);
    };

    it.each([
      ['an image', [''], 'The path of an image is empty.'],
      ['one of several images', ['a.jpg', ''], 'The path of an image is empty.'],
      ['the output', ['a.jpg', '-o', ''], 'path'],
    ])('refuses an empty path of %s', async (_, args, message) => {
      const { code, stderr } = await run(args);
      expect(code).toBe(2);
      expect(stderr).toContain(message);
      expect(stderr).toContain('is empty');
      expect(service.seen).toEqual([]);
    });

    /** Runs with a file system on which this folder is read-only, even for root. */
    const runReadOnly = (folder: string, args: readonly string[]) => {
      const path = installed.path(folder);
      return run(args, ['bwrap', '--dev-bind', '/', '/', '--ro-bind', path, path]);
    };

    it.each([
      ['photos/a.jpg', [], 'The folder photos cannot be written: read-only file system.'],
      ['a.jpg', ['-o', 'photos/'], /^The folder photos\/? cannot be written: read-only file system\.$/im],
      ['a.jpg', ['-o', 'photos/b.jpg'], 'The folder photos cannot be written: read-only file system.'],
      [
        'a.jpg',
        ['-o', 'photos/new/'],
        /^The folder photos\/new\/? cannot be made: read-only file system\.$/im,
      ],
      [
        'photos',
        ['-o', 'photos/new/'],
        /^The folder photos\/new\/? cannot be made: read-only file system\.$/im,
      ],
      ['photos', ['-o', 'photos'], /^photos\/\.\S+ cannot be written: read-only file system\.$/im],
    ])('refuses to enhance %s %j on a read-only file system', async (image, more, message) => {
      const { code, stderr } = await runReadOnly('photos', [image, ...more]);
      expect(code, stderr).toBe(2);
      const pattern = typeof message === 'string' ? new RegExp(message.replaceAll('.', '\\.'), 'i') : message;
      expect(stderr).toMatch(pattern);
      expect(service.seen).toEqual([]);
      expect(await readdir(installed.path('photos'))).toEqual(['a.jpg']);
    });

    it('says which subfolders it leaves out', async () => {
      const out = `trip-${language}/done`;
      for (const name of ['day 1', 'day 2', 'named', '.hidden', 'results', 'done'])
        await mkdir(installed.path(`trip-${language}`, name), { recursive: true });
      const trip = `trip-${language}`;
      for (const name of ['a.jpg', 'named/b.jpg', 'day 1/c.jpg', 'results/.enhance-1.jsonl'])
        await installed.write(`${trip}/${name}`, '');
      const { stderr } = await run([trip, `${trip}/named`, '-o', out, '--json']);
      expect(stderr).toContain(
        `Left out, because the images of a subfolder are enhanced only if you name it, too: ${trip}/day 1, ${trip}/day 2\n`,
      );
      const quiet = await run([trip, '-o', out, '-q']);
      expect(quiet.stderr).not.toContain('Left out');
      await rm(installed.path(trip, 'a.jpg'));
      expect((await run([trip, '-o', out])).stderr).toContain(
        `image in the folder ${trip}. To enhance the images of its subfolders, name these.\n`,
      );
    });

    it('refuses a folder on a full disk in one line, and leaves nothing there', async () => {
      const path = installed.path('full');
      await mkdir(path, { recursive: true });
      const fill = 'head -c 4096 /dev/zero > "$0/fill"; "$@"; code=$?; ls -A "$0"; exit $code';
      const disk = ['bwrap', '--dev-bind', '/', '/', '--size', '4096', '--tmpfs', path];
      const { code, stdout, stderr } = await run(['photos', '-o', 'full'], [...disk, 'sh', '-c', fill, path]);
      expect(code, stderr).toBe(2);
      expect(stderr).toMatch(/^full\/\.\S+ cannot be written: no space left on device\.$/im);
      expect(stderr).not.toContain('Traceback');
      // The journal of Python is also its lock, which is empty.
      expect(stdout).toMatch(language === 'Python' ? /^\.\S+\.jsonl\nfill\n$/ : /^fill\n$/);
      expect(service.seen).toEqual([]);
    });
  });
});
