import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VersionComparisonDto } from '../../../src/operator/comparisons/version-comparison.dto.js';
import { FlowModelService } from '../../support/models/flow-model-service.js';
import { madeSmall, madeSmallMatte } from '../../support/models/flow-models.js';
import { adminAnswer } from '../../support/roles/admin-command.js';
import { heldFiles } from '../../support/roles/flow-objects.js';
import { signaled } from '../../support/roles/flow-processes.js';
import { eventually, LASTING } from '../../support/roles/flow-wait.js';

const TONE = 'auto_enhance';
const PORTRAIT = join(import.meta.dirname, '../../../scripts/assets/astronaut.png');

/** One service for all tests; each test continues with the models that the previous one left. */
describe('a comparison of two versions', () => {
  let service: FlowModelService;
  let folder: string;

  beforeAll(async () => {
    service = await FlowModelService.start();
    folder = await mkdtemp(join(tmpdir(), 'ies-comparison-'));
    await admin('serve', TONE, '1');
    await service.models.drop('bg_remove', 1, madeSmallMatte);
    await found('bg_remove', 1);
    await admin('serve', 'bg_remove', '1');
    // The same graphs at another strength, so the results differ.
    await service.models.drop(TONE, 2, (draft) => {
      for (const level of Object.values(draft.levels)) level['strength'] = 0.1;
    });
    await service.models.drop('bg_remove', 2, madeSmallMatte);
    await found(TONE, 2);
    await found('bg_remove', 2);
  });
  afterAll(async () => {
    await service?.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  const admin = async (...words: readonly string[]): Promise<unknown> =>
    adminAnswer(service.databaseUrl, 'model', ...words);
  const compare = async (operation: string, photo: string, ...more: readonly string[]) =>
    (await admin('compare', operation, '1', '2', '--photo', photo, ...more)) as VersionComparisonDto & {
      readonly files?: readonly string[];
    };
  const found = (operation: string, version: number): Promise<true> =>
    eventually(
      `${operation}/${version} to be found`,
      async () => {
        const all = (await admin('list')) as {
          operation: string;
          versions: { version: string; canServe: boolean }[];
        }[];
        const { versions } = all.find((one) => one.operation === operation)!;
        const isUsable = versions.some((one) => one.version === String(version) && one.canServe);
        return isUsable ? { found: true } : { seen: versions };
      },
      LASTING,
    );
  const end = (id: string): Promise<VersionComparisonDto> =>
    eventually('the end of the comparison', async () => {
      const seen = (await admin('comparison', id)) as VersionComparisonDto;
      return seen.endedAt === null ? { seen } : { found: seen };
    });
  const held = async () => {
    const { results, temporary } = await heldFiles(service.dataDir);
    return { results, temporary };
  };

  it('shows both results and their difference for versions that are not loaded', async () => {
    const before = await held();
    const dark = join(folder, 'dark.png');
    await sharp(PORTRAIT).linear(0.3, 0).png().toFile(dark);
    const out = join(folder, 'tone');
    const { results, files, ...comparison } = await compare(TONE, dark, '--level', 'high', '--out', out);
    expect(comparison).toMatchObject({ operation: TONE, level: 'high', a: 1, b: 2, status: 'completed' });
    const { width, height } = await sharp(dark).metadata();
    expect(results!.source).toEqual({ width, height });
    for (const side of [results!.a, results!.b]) {
      expect(side).toMatchObject({ width, height, refusal: null });
      expect(side.inferenceMs).toBeGreaterThan(0);
    }
    const { measure, percent, psnrDb } = results!.difference!;
    expect(measure).toBe('color');
    expect(percent).toBeGreaterThan(1);
    expect(psnrDb).toBeLessThan(45);
    expect(files).toEqual(['source', 'a', 'b'].map((name) => join(out, `${name}.webp`)));
    const means = await Promise.all(
      files!.map(async (file) => (await sharp(file).stats()).channels[1]!.mean),
    );
    // The weaker version brightens less.
    expect(means[0]! + 1).toBeLessThan(means[2]!);
    expect(means[2]! + 1).toBeLessThan(means[1]!);
    // It is not a job, and leaves nothing behind.
    expect(await held()).toEqual(before);
    expect(await service.rows('SELECT FROM version_comparisons WHERE photo IS NOT NULL')).toEqual([]);
  });

  it('processes the center of a wide photo', async () => {
    // The middle of its height has details.
    const large = join(folder, 'wide.jpg');
    await sharp(PORTRAIT).resize(3_000, 200).jpeg().toFile(large);
    await service.models.drop('upscale', 2, madeSmall);
    await found('upscale', 2);
    const { results } = await compare('upscale', large, '--level', 'low');
    expect(results!.source).toEqual({ width: 1_024, height: 200 });
    expect(results!.a).toMatchObject({ width: 2_048, height: 400 });
    // Both versions have the same files.
    expect(results!.difference).toEqual({ measure: 'color', percent: 0, psnrDb: null });
  });

  it('reports that a version refused the photo, or that the photo is not an image', async () => {
    const empty = join(folder, 'empty.png');
    await sharp({ create: { width: 300, height: 200, channels: 3, background: '#889' } })
      .png()
      .toFile(empty);
    const out = join(folder, 'refused');
    const { results, files, status } = await compare('bg_remove', empty, '--out', out);
    expect(status).toBe('completed');
    for (const side of [results!.a, results!.b])
      expect(side).toEqual({ width: null, height: null, inferenceMs: null, refusal: 'no_subject_found' });
    expect(results!.difference).toBeNull();
    expect(files).toEqual([join(out, 'source.webp')]);
    await expect(compare(TONE, join(import.meta.dirname, 'comparison.spec.ts'))).rejects.toThrow(/image/);
    await expect(compare(TONE, join(folder, 'missing.png'))).rejects.toThrow(/cannot be read \(ENOENT\)/);
  });

  it('reports that a version crashed the process that ran it', async () => {
    const renders = () =>
      service.supervisor.processes().filter(({ command }) => command.includes('main.version-render.js'));
    await eventually('the end of earlier renders', async () =>
      renders().length === 0 ? { found: true } : { seen: renders() },
    );
    await sharp(PORTRAIT).resize(1_024, 1_024).jpeg().toFile(join(folder, 'large.jpg'));
    const { id } = await compare('upscale', join(folder, 'large.jpg'), '--level', 'high', '--no-wait');
    const workers = service.workers();
    await eventually('the memory limit of the process', async () => {
      const [one] = renders();
      const limits = one && (await readFile(`/proc/${one.pid}/limits`, 'utf8').catch(() => undefined));
      return /Max data size +\d/.test(limits ?? '') ? { found: true } : { seen: limits };
    });
    await eventually('a process of a version that can be killed', () => {
      const [one] = renders();
      return one !== undefined && signaled(one.pid, 'SIGKILL')
        ? { found: true }
        : { seen: service.supervisor.processes() };
    });
    const ended = await end(id);
    expect(ended).toMatchObject({ status: 'failed', results: null });
    expect(ended.failure).toMatch(/^upscale\/[12] ended the process that ran it \(SIGKILL\)\.$/);
    expect(service.workers()).toEqual(workers);
  });

  it('moves to another worker when the first is killed, but is not run a third time', async () => {
    const large = join(folder, 'large.jpg');
    const { id } = await compare('upscale', large, '--level', 'high', '--no-wait');
    for (const attempt of [1, 2]) {
      const workerId = await eventually(`attempt ${attempt}`, async () => {
        const [row] = await service.rows<{ id: string; attempts: number }>(
          'SELECT worker_id AS id, attempts FROM version_comparisons WHERE id = $1 AND status = $2',
          [id, 'processing'],
        );
        return row?.attempts === attempt ? { found: row.id } : { seen: row };
      });
      const [worker] = await service.rows<{ pid: number }>('SELECT pid FROM model_workers WHERE id = $1', [
        workerId,
      ]);
      process.kill(worker!.pid, 'SIGKILL');
      // The missing heartbeat would be noticed only after 45 seconds.
      await service.rows(`UPDATE model_workers SET seen_at = now() - interval '1 minute' WHERE id = $1`, [
        workerId,
      ]);
    }
    const ended = await end(id);
    expect(ended).toMatchObject({
      status: 'failed',
      results: null,
      failure: 'Two workers ended while they compared these versions.',
    });
  });
});
