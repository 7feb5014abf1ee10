import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AccountError } from '../../auth/account-error.js';
import { AppError } from '../../kernel/app-error.js';
import {
  COMPARISON_IMAGES,
  type ComparedVersions,
} from '../../models/serving/comparisons/version-comparison.js';
import { VersionComparisonsRepository } from '../../models/serving/comparisons/version-comparisons.repository.js';
import type { VersionComparisonDto } from '../../operator/comparisons/version-comparison.dto.js';
import { VersionComparisonControl } from '../../operator/comparisons/version-comparison-control.js';
import { type AdminCommand, type Administered, answerOf, type CommandAnswer } from '../administered.js';
import { controlled } from './model-commands.js';

const LOOK_MS = 500;
const WAIT_MS = 600_000;

export interface CompareModelsOptions {
  /** Path of a JPEG, PNG, WebP or AVIF. */
  readonly photo: string;
  /** Folder for the pictures. */
  readonly out?: string | undefined;
  /** Whether to wait until the comparison has ended. */
  readonly wait: boolean;
}

const controlOf = (administered: Administered): VersionComparisonControl => {
  const { database } = administered;
  const [console, workers] = controlled(administered);
  return new VersionComparisonControl(console, workers, new VersionComparisonsRepository(database), database);
};

/** `model compare`: compares two versions on a photo. A worker that has both runs them. */
export const compareModelVersions =
  (compared: ComparedVersions, { photo, out, wait }: CompareModelsOptions): AdminCommand =>
  async (administered) => {
    const control = controlOf(administered);
    const read = (): Promise<Buffer> => photoOf(photo, administered.config.uploadMaxBytes);
    const started = await control.start(null, compared, read);
    return wait ? ended(control, started, out) : answerOf(started);
  };

/** `model comparison`: shows a comparison that `model compare` has started in the last 24 hours. */
export const showModelComparison =
  (id: string, out: string | undefined): AdminCommand =>
  async (administered) => {
    const control = controlOf(administered);
    return written(control, await control.read(id, null), out);
  };

async function ended(
  control: VersionComparisonControl,
  started: VersionComparisonDto,
  out: string | undefined,
): Promise<CommandAnswer> {
  const end = performance.now() + WAIT_MS;
  let seen = started;
  while (seen.endedAt === null) {
    if (performance.now() > end)
      throw new AccountError(
        `The comparison has not ended after ${WAIT_MS / 60_000} minutes. See "model comparison ${seen.id}".`,
      );
    await sleep(LOOK_MS);
    seen = await control.read(seen.id, null);
  }
  if (seen.failure !== null) throw new AccountError(seen.failure);
  return written(control, seen, out);
}

/** Writes the pictures if a folder was given. */
async function written(
  control: VersionComparisonControl,
  comparison: VersionComparisonDto,
  out: string | undefined,
): Promise<CommandAnswer> {
  if (out === undefined || comparison.status !== 'completed') return answerOf(comparison);
  await mkdir(out, { recursive: true });
  const files: string[] = [];
  for (const name of COMPARISON_IMAGES) {
    const picture = await control.image(comparison.id, null, name).catch(missing);
    if (picture === undefined) continue;
    const path = join(out, `${name}.webp`);
    await writeFile(path, picture);
    files.push(path);
  }
  return { ...answerOf(comparison), files };
}

/** A version that refused the photo made no picture. */
function missing(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'not_found') return undefined;
  throw error;
}

/** @throws AccountError */
async function photoOf(path: string, maxBytes: number): Promise<Buffer> {
  try {
    const { size } = await stat(path);
    if (size > maxBytes)
      throw new AccountError(`${path} has ${size} bytes. At most ${maxBytes} are allowed.`);
    return await readFile(path);
  } catch (error) {
    if (error instanceof AccountError) throw error;
    throw new AccountError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}
