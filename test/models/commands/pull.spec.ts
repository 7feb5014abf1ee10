import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runModelsCommand } from '../../support/models/models-command.js';
import { cut, ENTRY, FILE, PullServer, SHA256, whole } from '../../support/models/pull-server.js';

describe('models pull, from an unreliable server', () => {
  let host: PullServer;
  beforeEach(async () => {
    host = await PullServer.start();
  });
  afterEach(() => host.close());

  it('installs a checked version with the tensor names of its file', async () => {
    const { code, json } = await host.pull();
    expect(json).toMatchObject({ name: 'nearest', version: 1, sha256: SHA256 });
    expect(code).toBe(0);
    const folder = join(host.models.path, 'upscale/1');
    expect(
      createHash('sha256')
        .update(await readFile(join(folder, 'nearest.onnx')))
        .digest('hex'),
    ).toBe(SHA256);
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as {
      stages: { x2: Record<string, unknown> };
    };
    expect(manifest.stages.x2).toMatchObject({ sha256: SHA256, input: { name: 'x' }, output: { name: 'y' } });
    expect(await readFile(join(folder, 'LICENSE'), 'utf8')).toContain('https://example.org/license');
    expect((await readdir(host.models.path)).toSorted()).toEqual(['.pulling', 'upscale', 'upstream.json']);
    expect(await readdir(join(host.models.path, '.pulling'))).toEqual([]);
    // A second pull installs the next version.
    expect((await host.pull()).json).toMatchObject({ version: 2 });
  });

  it('refuses to pull a model that another process is still installing', async () => {
    let installing: ChildProcess;
    host.onStart = (child) => (installing = child);
    const first = host.pull();
    const isInstalling = async (): Promise<boolean> =>
      (await readdir(host.models.path)).some((name) => name.startsWith('.draft-'));
    await expect.poll(isInstalling, { interval: 10 }).toBe(true);
    installing!.kill('SIGSTOP');
    const command = ['pull', 'nearest', '--catalog', join(host.models.path, 'upstream.json'), '--json'];
    const second = await runModelsCommand(command, host.models.path);
    installing!.kill('SIGCONT');
    expect(second).toMatchObject({
      code: 1,
      json: { error: expect.stringMatching(/^Process \d+ is pulling nearest; wait/) },
    });
    expect(await first).toMatchObject({ code: 0, json: { version: 1 } });
    expect(await readdir(join(host.models.path, 'upscale'))).toEqual(['1']);
  });

  it('resumes where it was cut off, within one run', async () => {
    const cutAt = 150_000;
    host.serve = (answer, range) => {
      if (range !== undefined) return whole(answer, range);
      answer.writeHead(200, { 'content-length': FILE.length });
      answer.write(FILE.subarray(0, cutAt), () => cut(answer));
    };
    expect(await host.pull()).toMatchObject({ code: 0, json: { version: 1 } });
    expect(host.ranges[0]).toBeUndefined();
    const from = Number(/^bytes=(\d+)-$/.exec(host.ranges[1]!)![1]);
    expect(from).toBeGreaterThan(0);
    expect(from).toBeLessThanOrEqual(cutAt);
    expect(host.ranges).toHaveLength(2);
  });

  it('resumes in the next run if the server stays down', async () => {
    host.serve = (answer, range) => {
      const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
      if (from > 0) return answer.destroy() as unknown as void;
      answer.writeHead(200, { 'content-length': FILE.length });
      answer.write(FILE.subarray(0, 100_000), () => cut(answer));
    };
    const first = await host.pull();
    expect(first.code).toBe(1);
    expect(first.json).toMatchObject({
      error: expect.stringContaining('run the same command again to resume it'),
    });
    expect(await host.isThere('upscale')).toBe(false);
    host.ranges = [];
    host.serve = whole;
    expect(await host.pull()).toMatchObject({ code: 0 });
    expect(host.ranges).toEqual([expect.stringMatching(/^bytes=[1-9]\d*-$/)]);
  });

  it('starts over if the server does not support ranges', async () => {
    let requests = 0;
    host.serve = (answer) => {
      requests += 1;
      answer.writeHead(200, { 'content-length': FILE.length });
      if (requests > 1) answer.end(FILE);
      else answer.write(FILE.subarray(0, 100_000), () => cut(answer));
    };
    expect(await host.pull()).toMatchObject({ code: 0, json: { version: 1 } });
  });

  it('refuses a wrong hash and keeps nothing', async () => {
    const { code, json } = await host.pull({ sha256: 'a'.repeat(64) });
    expect(code).toBe(1);
    expect((json as { error: string }).error).toMatch(
      new RegExp(`has sha256 ${SHA256} instead of a{64}: the file was replaced or corrupted in transit`),
    );
    expect(await host.isThere('upscale')).toBe(false);
    expect(await readdir(join(host.models.path, '.pulling'))).toEqual([]);
  });

  it('requires consent to a restrictive license before downloading anything', async () => {
    const license = { id: 'CC-BY-NC-4.0', permissive: false };
    const { code, json } = await host.pull({}, license);
    expect(code).toBe(1);
    expect((json as { error: string }).error).toMatch(
      /published under CC-BY-NC-4\.0 \(https:\/\/example\.org\/license\).*--accept-license/,
    );
    expect(host.ranges).toEqual([]);
    expect(await host.pull({}, license, ['--accept-license'])).toMatchObject({ code: 0 });
  });

  it("reports the server's error, and lists the available names", async () => {
    host.serve = (answer) => answer.writeHead(404).end();
    expect(((await host.pull()).json as { error: string }).error).toContain(
      'answers 404; the publisher may have moved the file',
    );
    expect(host.ranges).toHaveLength(1);
    const { json } = await runModelsCommand(['pull', 'nothing', '--json'], host.models.path);
    expect((json as { error: string }).error).toMatch(
      /There is no model "nothing" in the catalog: u2netp, .*esrgan-slim/,
    );
  });

  it('has a catalog whose entries all become valid manifests', async () => {
    const { json } = await runModelsCommand(['pull', '--json'], host.models.path);
    const { checkManifest } = await import('../../../src/models/manifest/manifest-check.js');
    const entries = json as (Omit<typeof ENTRY, 'manifest'> & { manifest?: typeof ENTRY.manifest })[];
    for (const model of entries) {
      if (model.manifest === undefined) continue;
      const stages = Object.entries(
        model.manifest.stages as unknown as Record<string, Record<string, object>>,
      ).map(([name, stage]) => [
        name,
        (stage['kind'] as unknown) === 'matte'
          ? stage
          : {
              ...stage,
              file: model.file.name,
              sha256: model.file.sha256,
              input: { name: 'x', ...stage['input'] },
              output: { name: 'y', ...stage['output'] },
            },
      ]);
      const manifest = {
        ...model.manifest,
        operation: model.operation,
        stages: Object.fromEntries(stages) as object,
      };
      expect(checkManifest(manifest, model.operation), model.name).toMatchObject({ ok: true });
    }
    expect(entries).toHaveLength(12);
    // Every entry has a hash, so nobody has to trust one that a server states.
    expect(entries.filter(({ file }) => !/^[0-9a-f]{64}$/.test(file.sha256))).toEqual([]);
  });
});
