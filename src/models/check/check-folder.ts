import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Precision } from '../compose/compose-stage.js';
import type { StageRef } from '../manifest/model-route.js';
import type { ModelVersion } from '../repository/model-version.js';
import { readVersion } from '../repository/read-version.js';
import { filesOf } from '../manifest/stage-files.js';
import { deviceStages } from '../../inference/device-stages.js';
import { LEVELS } from '../../kernel/operations.js';
import { checkGolden } from './check-golden.js';
import { type Announce, StageCheck } from './check-stage.js';
import { remoteFailure, tooLarge } from './runtime-text.js';
import type { CheckerRequest, StageReport, VersionVerdict } from './verdict.js';

type Sound = Extract<VersionVerdict, { ok: true }>;

/**
 * Performs all checks that a version must pass before it may serve, in this order: manifest, hashes, size, contract,
 * operators, names, types and shapes by dry runs, finite numbers, golden images.
 * @throws InvalidVersion
 */
export async function checkFolder(
  { folder, threads, memoryLimitBytes, triton, notes }: CheckerRequest,
  announce: Announce,
): Promise<Sound> {
  announce('reading it takes too long');
  const version = await readVersion(folder);
  await refuseOversize(version, memoryLimitBytes);
  const routes = LEVELS.map((level) => version.routes[level]);
  const stages: StageReport[] = [];
  for (const { ref, mapSets } of deviceStages({ routes: () => routes }))
    for (const precision of precisionsOf(ref))
      stages.push(await new StageCheck(ref, precision, mapSets, { threads, triton, notes, announce }).run());
  await checkGolden(version, { threads, triton }, announce).catch((error: unknown) => {
    throw version.isRemote ? remoteFailure(error) : error;
  });
  const { operation } = version.manifest;
  return { ok: true, operation, version: version.version, model: version.identity, stages };
}

/** Refuses weights that alone exceed the memory limit, without a dry run. */
async function refuseOversize({ manifest, folder }: ModelVersion, memoryLimitBytes: number): Promise<void> {
  for (const [name, stage] of Object.entries(manifest.stages)) {
    const sizes = await Promise.all(
      filesOf(stage).map(async ({ file }) => (await stat(join(folder, file))).size),
    );
    const bytes = sizes.reduce((a, b) => a + b, 0);
    // A session holds its weights at least twice while it is created.
    if (2 * bytes > memoryLimitBytes)
      throw tooLarge(
        `the files of stage ${name} have ${bytes} bytes, twice that is more than the check allows`,
      );
  }
}

function precisionsOf({ fp16, int8 }: StageRef): readonly Precision[] {
  return [
    'fp32',
    ...(fp16 === undefined ? [] : (['fp16'] as const)),
    ...(int8 === undefined ? [] : (['int8'] as const)),
  ];
}
