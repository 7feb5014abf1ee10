import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandOutcome, runModelsCommand } from '../../support/models/models-command.js';
import { ENTRY, FILE, PullServer } from '../../support/models/pull-server.js';
import { SmallDisk } from '../../support/roles/small-disk.js';

describe('models pull', () => {
  let host: PullServer;
  beforeEach(async () => {
    host = await PullServer.start();
  });
  afterEach(() => host.close());

  /** Pulls from a folder onto another disk. */
  async function pullTo(dir: string, file: object): Promise<CommandOutcome> {
    const mirror = join(host.models.path, '.mirror');
    const catalog = join(host.models.path, 'upstream.json');
    await mkdir(mirror, { recursive: true });
    await writeFile(join(mirror, 'nearest.onnx'), FILE);
    const address = 'https://nowhere.invalid/nearest.onnx';
    const entry = { ...ENTRY, file: { ...ENTRY.file, address, ...file } };
    await writeFile(catalog, JSON.stringify({ models: [entry] }));
    return runModelsCommand(['pull', 'nearest', '--catalog', catalog, '--json'], dir, {
      MODELS_MIRROR: mirror,
    });
  }

  it.for([FILE.length, null])(
    'says how much room is missing for a file in a folder: %s',
    async (bytes, { skip }) => {
      const disk = SmallDisk.mount(200_000);
      if (disk === undefined) {
        skip('this user may not mount file systems');
        return;
      }
      try {
        const { code, json } = await pullTo(disk.dir, { bytes });
        expect(code).toBe(1);
        expect((json as { error: string }).error).toMatch(
          /^The download has \d+ bytes, and .* left; make room/,
        );
      } finally {
        disk.remove();
      }
    },
  );

  it('needs the size of the file only once', async ({ skip }) => {
    const disk = SmallDisk.mount(1.5 * FILE.length);
    if (disk === undefined) {
      skip('this user may not mount file systems');
      return;
    }
    try {
      expect(await pullTo(disk.dir, {})).toMatchObject({ code: 0, json: { version: 1 } });
      expect(await readdir(join(disk.dir, '.pulling'))).toEqual([]);
    } finally {
      disk.remove();
    }
  });

  it('says that MODELS_MIRROR may be wrong when the mirror cannot be reached', async () => {
    const flags = { MODELS_MIRROR: 'http://127.0.0.1:1' };
    expect(await host.pull({}, {}, [], flags)).toMatchObject({
      code: 1,
      json: { error: expect.stringMatching(/\)\. Check MODELS_MIRROR, the network/) },
    });
  });

  it('notes that results get another size', async () => {
    const folder = join(host.models.path, 'upscale/1');
    await mkdir(folder, { recursive: true });
    await cp(join(import.meta.dirname, '../../../models/upscale/1'), folder, { recursive: true });
    expect(await host.pull()).toMatchObject({
      code: 0,
      json: {
        version: 2,
        notes: ['scale: results differ in size from those of version 1: high ×2 instead of ×4.'],
      },
    });
  });
});
