import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type CommandOutcome,
  hasTerminal,
  runModelsCommand,
  typeIntoModelsCommand,
} from '../../support/models/models-command.js';
import { ENTRY, FILE, PullServer, SHA256, whole } from '../../support/models/pull-server.js';
import { SmallDisk } from '../../support/roles/small-disk.js';

describe('models pull from mirrors, and for several models', () => {
  let host: PullServer;
  beforeEach(async () => {
    host = await PullServer.start();
  });
  afterEach(() => host.close());

  const pullOf = (changes: readonly object[], ...args: string[]): Promise<CommandOutcome> =>
    host.runCatalog(
      changes.map((change) => ({ ...ENTRY, ...change })),
      args,
    );

  it('takes the file only from the mirror, which is a URL or a folder', async () => {
    const flags = { MODELS_MIRROR: `${host.address.slice(0, host.address.lastIndexOf('/'))}/` };
    expect(
      await host.pull({ address: 'https://nowhere.invalid/a/nearest.onnx' }, {}, [], flags),
    ).toMatchObject({
      code: 0,
      json: { version: 1 },
    });
    expect(host.ranges).toHaveLength(1);
    const folder = join(host.models.path, '.mirror');
    await mkdir(folder);
    const missing = await host.pull({}, {}, [], { MODELS_MIRROR: folder });
    expect(missing).toMatchObject({
      code: 1,
      json: { error: expect.stringMatching(/mirror has no file .*ENOENT/) },
    });
    await writeFile(join(folder, 'nearest.onnx'), FILE.subarray(1));
    expect(await host.pull({}, {}, [], { MODELS_MIRROR: folder })).toMatchObject({
      code: 1,
      json: {
        error: expect.stringMatching(/bytes instead of \d+; the mirror has another file, or a part of it/),
      },
    });
    await writeFile(join(folder, 'nearest.onnx'), FILE);
    expect(await host.pull({}, {}, [], { MODELS_MIRROR: folder })).toMatchObject({
      code: 0,
      json: { version: 2 },
    });
    expect(host.ranges).toHaveLength(1);
  });

  it('says that the mirror, not the publisher, lacks the file', async () => {
    host.serve = (answer) => answer.writeHead(404).end();
    const mirror = { MODELS_MIRROR: new URL(host.address).origin };
    expect((await host.pull({}, {}, [], mirror)).json).toEqual({
      error: `${host.address} answers 404; check MODELS_MIRROR, and that the mirror has the file under this name.`,
    });
  });

  it('says why no server could be reached, and what to do without a network', async () => {
    expect(await host.pull({ address: 'https://nowhere.invalid/nearest.onnx' })).toMatchObject({
      code: 1,
      json: {
        error: expect.stringMatching(
          /nowhere\.invalid\/nearest\.onnx could not be reached in 5 attempts \((ENOTFOUND|EAI_AGAIN)\)\. .*MODELS_MIRROR/,
        ),
      },
    });
  });

  it('tries the next address when one lacks the file', async () => {
    host.serve = (answer, range, path) =>
      path === '/gone' ? answer.writeHead(404).end() : whole(answer, range);
    const gone = host.address.replace('/nearest.onnx', '/gone');
    expect(await host.pull({ address: gone, mirrors: [host.address] })).toMatchObject({
      code: 0,
      json: { version: 1 },
    });
    expect(host.ranges).toHaveLength(2);
  });

  it('takes the file from the next address when one sends something shorter, or without an end', async () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1';
    const endless = (answer: ServerResponse): void =>
      void answer.write(Buffer.alloc(100_000), () => answer.destroyed || endless(answer));
    host.serve = (answer, range, path) => {
      if (path === '/long') return endless(answer.writeHead(200));
      if (path !== '/short') return whole(answer, range);
      // Without a length, so that the beginning of the wrong file is kept.
      if (range === undefined) answer.writeHead(200).write(pointer);
      else answer.writeHead(416);
      answer.end();
    };
    for (const [index, wrong] of ['/short', '/long'].entries()) {
      const first = host.address.replace('/nearest.onnx', wrong);
      expect(await host.pull({ address: first, mirrors: [host.address] })).toMatchObject({
        code: 0,
        json: { version: index + 1 },
      });
    }
    expect(await readdir(join(host.models.path, '.pulling'))).toEqual([]);
    const alone = await host.pull({ address: host.address.replace('/nearest.onnx', '/long') });
    expect(alone).toMatchObject({
      code: 1,
      json: { error: expect.stringMatching(/\/long has more bytes instead of \d+/) },
    });
    expect(await readdir(join(host.models.path, '.pulling'))).toEqual([]);
  });

  it('asks the next address for its hash when one cannot be reached', async () => {
    host.serve = (answer, range) => {
      answer.setHeader('repr-digest', `sha-256=:${Buffer.from(SHA256, 'hex').toString('base64')}:`);
      whole(answer, range);
    };
    const nowhere = 'http://127.0.0.1:1/nearest.onnx';
    expect(await host.pull({ address: nowhere, mirrors: [host.address], sha256: null })).toMatchObject({
      code: 0,
      json: { version: 1, sha256: SHA256 },
    });
  });

  it('uses the hash that the server states, or asks for one', async () => {
    const nobody = await host.pull({ sha256: null });
    expect(nobody).toMatchObject({ code: 1, json: { error: expect.stringContaining('--sha256 HEX') } });
    expect(await host.isThere('upscale')).toBe(false);
    expect(await host.pull({ sha256: null }, {}, ['--sha256', SHA256])).toMatchObject({
      code: 0,
      json: { version: 1 },
    });
    host.serve = (answer, range) => {
      answer.setHeader('repr-digest', `sha-256=:${Buffer.from(SHA256, 'hex').toString('base64')}:`);
      whole(answer, range);
    };
    expect(await host.pull({ sha256: null })).toMatchObject({
      code: 0,
      json: { version: 2, sha256: SHA256 },
    });
  });

  it('pulls recommended models once, after showing all licenses', async () => {
    const entries = [
      { recommended: true, file: { ...ENTRY.file, address: host.address } },
      { name: 'other', file: { ...ENTRY.file, address: 'https://nowhere.invalid/other.onnx' } },
    ];
    const asked = await pullOf(entries, 'recommended');
    expect(asked.code).toBe(1);
    expect((asked.json as { error: string }).error).toMatch(
      /nearest: Nearest, MIT \(https.* MB\nRead the licenses, and run the command again with --accept-license\.$/s,
    );
    expect(host.ranges).toEqual([]);
    const first = await pullOf(entries, 'recommended', '--accept-license');
    expect(first).toMatchObject({ code: 0, json: [{ name: 'nearest', version: 1 }] });
    expect(await pullOf(entries, 'recommended', '--accept-license')).toMatchObject({ code: 0, json: [] });
  });

  it('keeps weights that need conversion, and explains how to convert them', async () => {
    const { manifest: _, ...entry } = ENTRY;
    const convert = { source: 'https://example.org', trainedOn: 'nothing', range: [0, 1] };
    const file = { ...ENTRY.file, name: 'nearest.pth', address: host.address };
    const outcome = await host.runCatalog([{ ...entry, file, convert }], ['nearest']);
    expect(outcome.code, outcome.stdout).toBe(0);
    const { folder, next } = outcome.json as { folder: string; next: string[] };
    expect(await readFile(folder)).toEqual(Buffer.from(FILE));
    expect(next[0]).toMatch(/^python scripts\/convert\/to_onnx\.py .*nearest\.pth .*nearest\.onnx$/);
    expect(next[1]).toMatch(/^npm run models -- add .*nearest\.onnx --operation upscale .*--range 0,1/);
    expect(await host.isThere('upscale')).toBe(false);
    // They are downloaded once. The model is wanted until it was converted and added.
    const recommended = [{ ...entry, file, convert, recommended: true }];
    expect(await host.runCatalog(recommended, ['recommended'])).toMatchObject({
      code: 0,
      json: [{ name: 'nearest', version: null, next }],
    });
    expect(host.ranges).toHaveLength(1);
    const manifest = { ...ENTRY.manifest, source: convert.source };
    await mkdir(join(host.models.path, 'upscale/1'), { recursive: true });
    await writeFile(join(host.models.path, 'upscale/1/manifest.json'), JSON.stringify(manifest));
    expect(await host.runCatalog(recommended, ['recommended'])).toMatchObject({ code: 0, json: [] });
  });

  describe.skipIf(!hasTerminal)('in a terminal (needs script of util-linux)', () => {
    it('ends like every interrupted command when Ctrl-C answers the question about a license', async () => {
      const license = { ...ENTRY.license, permissive: false };
      const entry = { ...ENTRY, license, file: { ...ENTRY.file, address: host.address } };
      const catalog = join(host.models.path, 'upstream.json');
      await writeFile(catalog, JSON.stringify({ models: [entry] }));
      const args = ['pull', 'nearest', '--catalog', catalog];
      const { code, text } = await typeIntoModelsCommand(args, host.models.path, 'Type yes: ', '\u0003');
      expect(code, text).toBe(130);
      expect(text).toContain('Interrupted.');
      expect(text).not.toMatch(/AbortError|^ +at /m);
    });
  });

  it('reports a full disk and installs nothing', async ({ skip }) => {
    const disk = SmallDisk.mount(200_000);
    if (disk === undefined) {
      skip('this user may not mount file systems');
      return;
    }
    try {
      const catalog = join(host.models.path, 'upstream.json');
      await writeFile(
        catalog,
        JSON.stringify({
          models: [{ ...ENTRY, file: { ...ENTRY.file, address: host.address, bytes: null } }],
        }),
      );
      const args = ['pull', 'nearest', '--catalog', catalog, '--json'];
      const { code, json } = await runModelsCommand(args, disk.dir);
      expect(code).toBe(1);
      expect((json as { error: string }).error).toMatch(/^The disk is full: .*Make room/);
      expect(await readdir(disk.dir)).toEqual(['.pulling']);
    } finally {
      disk.remove();
    }
  });
});
