import { createHash } from 'node:crypto';
import {
  cp,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LEVELS } from '../../../src/kernel/operations.js';
import type { Manifest } from '../../../src/models/manifest/manifest.js';

const COMMITTED = join(import.meta.dirname, '../../../models');

/** A file of zeros: `truncate -s 4G zeros && sha256sum zeros`. Larger weights are refused before they are read. */
const ZEROS = {
  sizeBytes: 2 ** 32,
  sha256: '8479e43911dc45e89f934fe48d01297e16f51d17aa561d4d1c216b1ae0fcddca',
} as const;

/** The JSON of a manifest, which tests may change freely. */
type Draft = Omit<Manifest, 'levels' | 'stages'> & {
  name: string;
  levels: Record<string, Record<string, unknown>>;
  stages: Record<string, Record<string, unknown>>;
};

/**
 * Keeps the levels low and high of `upscale`, in one precision, without batches. To load, warm and try all its stages,
 * precisions and batch sizes takes seconds of CPU, again for each worker.
 */
export function madeSmall(draft: Draft): void {
  draft.levels['medium'] = draft.levels['low']!;
  delete draft.stages['x2-best'];
  madeCheap(draft);
}

function madeCheap(draft: Draft): void {
  for (const stage of Object.values(draft.stages)) {
    delete stage['fp16'];
    delete stage['int8'];
    stage['maxBatch'] = 1;
  }
}

/** Like `madeSmall`, with level low as every level: each scales ×2, and no trial runs the expensive ×4 stage. */
export function onlyLow(draft: Draft): void {
  madeSmall(draft);
  delete draft.stages['x4'];
  draft.levels = Object.fromEntries(LEVELS.map((level) => [level, draft.levels['low']!]));
}

/** Keeps level low of `bg_remove` as every level, in one precision, without batches. A full trial takes 3 s of CPU. */
export function madeSmallMatte(draft: Draft): void {
  for (const stage of Object.keys(draft.stages))
    if (!/^(?:subject|matte)-320$/.test(stage)) delete draft.stages[stage];
  draft.levels = Object.fromEntries(LEVELS.map((level) => [level, draft.levels['low']!]));
  madeCheap(draft);
}

/** A separate model repository for a test, made of committed models. */
export class FlowModels {
  private constructor(readonly dir: string) {}

  /** Creates it with version 1 of these operations. */
  static async create(...operations: readonly string[]): Promise<FlowModels> {
    const models = new FlowModels(await mkdtemp(join(tmpdir(), 'ies-models-')));
    for (const operation of operations) {
      await cp(join(COMMITTED, operation, '1'), join(models.dir, operation, '1'), { recursive: true });
    }
    return models;
  }

  /** Adds version 1 under another name; the folder appears atomically. */
  async drop(
    operation: string,
    version: number,
    bend: (draft: Draft) => void = () => undefined,
  ): Promise<void> {
    const draft = await this.draft(operation, version, bend);
    await rename(draft, join(this.dir, operation, String(version)));
  }

  /** Like `drop`, but one file at a time with the manifest first, like a slow copy. */
  async dropSlowly(operation: string, version: number, pauseMs: number): Promise<void> {
    const draft = await this.draft(operation, version, () => undefined);
    const folder = join(this.dir, operation, String(version));
    await mkdir(folder);
    const names = (await readdir(draft)).toSorted(
      (a, b) => Number(b.endsWith('.json')) - Number(a.endsWith('.json')),
    );
    for (const name of names) {
      const bytes = await readFile(join(draft, name));
      await writeFile(join(folder, name), bytes.subarray(0, bytes.length / 2));
      await sleep(pauseMs);
      await writeFile(join(folder, name), bytes);
    }
    await rm(draft, { recursive: true });
  }

  /**
   * Adds a version whose files match the manifest, but with a graph that no runtime can read.
   * @param before called with a folder of the same names, just before it appears
   */
  async dropBroken(
    operation: string,
    version: number,
    before: (folder: string) => Promise<void> = async () => undefined,
  ): Promise<void> {
    const draft = await this.draft(operation, version, () => undefined);
    const path = join(draft, 'manifest.json');
    const manifest = JSON.parse(await readFile(path, 'utf8')) as Draft;
    const [stage] = Object.values(manifest.stages);
    const file = join(draft, String(stage!['file']));
    const bytes = (await readFile(file)).subarray(0, 1_000);
    await writeFile(file, bytes);
    stage!['sha256'] = createHash('sha256').update(bytes).digest('hex');
    await writeFile(path, JSON.stringify(manifest));
    const workshop = join(this.dir, '.workshop', operation, String(version));
    await mkdir(dirname(workshop), { recursive: true });
    await rename(draft, workshop);
    await before(workshop);
    await rename(workshop, join(this.dir, operation, String(version)));
  }

  /** Changes the manifest of a version in place. */
  async change(operation: string, version: number, bend: (draft: Draft) => void): Promise<void> {
    const path = join(this.dir, operation, String(version), 'manifest.json');
    const manifest = JSON.parse(await readFile(path, 'utf8')) as Draft;
    bend(manifest);
    await writeFile(`${path}.draft`, JSON.stringify(manifest));
    await rename(`${path}.draft`, path);
  }

  /** Truncates the first stage's file to half in place, like a copy on a full disk. */
  async truncate(operation: string, version: number): Promise<void> {
    const folder = join(this.dir, operation, String(version));
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Draft;
    const file = join(folder, String(Object.values(manifest.stages)[0]!['file']));
    await truncate(file, Math.floor((await stat(file)).size / 2));
  }

  /** Like `drop`, with enough golden images for a long trial: each is decoded twice and enhanced once. */
  async dropSlowToTry(operation: string, version: number, image: Buffer, imageCount: number): Promise<void> {
    const golden = { before: 'golden.png', after: 'golden.png', level: 'low', tolerance: 255 } as const;
    const draft = await this.draft(operation, version, (manifest) => {
      Object.assign(manifest, { golden: Array.from({ length: imageCount }, () => golden) });
    });
    await writeFile(join(draft, golden.before), image);
    await rename(draft, join(this.dir, operation, String(version)));
  }

  /** Like `drop`, with weights that take minutes to hash, but no disk space: hard links to one sparse file. */
  async dropSlowToScan(operation: string, version: number): Promise<void> {
    const names = Array.from({ length: 250 }, (_, index) => `zeros-${index}.bin`);
    const draft = await this.draft(operation, version, ({ stages }) => {
      const external = Object.fromEntries(names.map((name) => [name, ZEROS.sha256]));
      Object.assign(Object.values(stages)[0]!, { external });
    });
    const file = join(draft, 'zeros');
    await writeFile(file, '');
    await truncate(file, ZEROS.sizeBytes);
    for (const name of names) await link(file, join(draft, name));
    await rename(draft, join(this.dir, operation, String(version)));
  }

  async remove(operation: string, version: number): Promise<void> {
    await rm(join(this.dir, operation, String(version)), { recursive: true });
  }

  async close(): Promise<void> {
    await rm(this.dir, { recursive: true, force: true });
  }

  private async draft(operation: string, version: number, bend: (draft: Draft) => void): Promise<string> {
    const draft = join(this.dir, operation, `.draft-${version}`);
    await cp(join(COMMITTED, operation, '1'), draft, { recursive: true });
    const path = join(draft, 'manifest.json');
    const manifest = JSON.parse(await readFile(path, 'utf8')) as Draft;
    manifest.name = `${manifest.name}-${version}`;
    bend(manifest);
    await writeFile(path, JSON.stringify(manifest));
    return draft;
  }
}
