import { join } from 'node:path';
import { readModelFile } from '../files/model-file.js';
import type { GoldenImage } from '../manifest/manifest.js';
import type { ModelVersion } from '../repository/model-version.js';
import { InvalidVersion } from '../repository/read-version.js';
import { Enhancer } from '../../inference/enhancer.js';
import { decodeImage } from '../../infra/image/codec/decode.js';
import { LEVELS } from '../../kernel/operations.js';
import type { RawImage } from '../../kernel/pixels.js';
import { exitAfterRuns } from '../../inference/device/threads/exit-after-runs.js';
import type { Announce } from './check-stage.js';
import { enhanced } from './enhanced.js';
import type { CheckerRequest } from './verdict.js';

const DEFAULT_TOLERANCE = 2;
const LIMITS = { maxPixels: 50_000_000 };

/** Runs every golden image of a version through the code that serves jobs. @throws InvalidVersion */
export async function checkGolden(
  version: ModelVersion,
  host: Pick<CheckerRequest, 'threads' | 'triton'>,
  announce: Announce,
): Promise<void> {
  const { golden } = version.manifest;
  if (golden === undefined) return;
  announce('the golden images fail when they run');
  const catalog = { routes: () => LEVELS.map((level) => version.routes[level]) };
  const onDeath = (): void => void exitAfterRuns(1);
  const { threads, triton } = host;
  const enhancer = await Enhancer.start({
    catalog,
    device: 'cpu',
    threads,
    // Golden images and their tolerance are defined for the network in single precision.
    precision: 'float32',
    ...(triton && { triton }),
    onDeath,
  });
  try {
    for (const image of golden) await checkOne(version, image, enhancer);
  } finally {
    await enhancer.close();
  }
}

async function checkOne(version: ModelVersion, image: GoldenImage, enhancer: Enhancer): Promise<void> {
  const [before, after] = await Promise.all([
    decoded(version.folder, image.before),
    decoded(version.folder, image.after),
  ]);
  const made = await enhanced(enhancer, version.routes[image.level], before);
  const shape = ({ width, height, channels }: RawImage): string => `${width}×${height}×${channels}`;
  if (shape(made) !== shape(after)) {
    throw new InvalidVersion(
      `the golden image ${image.before} becomes ${shape(made)} at level ${image.level}, ${image.after} is ${shape(after)}; correct the model or the golden image`,
    );
  }
  const difference = largestDifference(made.data, after.data);
  const tolerance = image.tolerance ?? DEFAULT_TOLERANCE;
  if (difference <= tolerance) return;
  throw new InvalidVersion(
    `the golden image ${image.before} at level ${image.level} differs from ${image.after} by ${difference} of 255, ${tolerance} are allowed; correct the model or the golden image`,
  );
}

async function decoded(folder: string, file: string): Promise<RawImage> {
  return decodeImage(await readModelFile(join(folder, file)), LIMITS).catch((error: unknown) => {
    throw new InvalidVersion(
      `the golden image ${file} cannot be decoded (${(error as Error).message}); save it as PNG`,
    );
  });
}

function largestDifference(a: Uint8Array, b: Uint8Array): number {
  let largest = 0;
  for (let at = 0; at < a.length; at++) largest = Math.max(largest, Math.abs(a[at]! - b[at]!));
  return largest;
}
