import { Enhancer } from '../../inference/enhancer.js';
import { exitAfterRuns } from '../../inference/device/threads/exit-after-runs.js';
import type { PrecisionChoice } from '../../inference/engines/precision.js';
import type { TrialDevice } from '../../inference/device/trial-device.js';
import { NO_SERVER, type TritonOptions } from '../../inference/engines/triton/triton-engine.js';
import { renderedShape } from '../../inference/render-job.js';
import { PixelFile } from '../../infra/image/codec/pixel-file.js';
import { AppError } from '../../kernel/app-error.js';
import type { Level } from '../../kernel/operations.js';
import type { PixelShape } from '../../kernel/pixels.js';
import { readVersion } from '../../models/repository/read-version.js';
import { timedRender } from './timed-render.js';
import { errorText } from '../../kernel/errors/error-text.js';

const MAX_RUNS = 3;
const ENOUGH_MS = 3_000;

/** Which version to run, on what. */
export interface VersionRenderRequest extends TrialDevice {
  /** Absolute path of the version's folder. */
  readonly folder: string;
  readonly level: Level;
  readonly source: { readonly path: string; readonly shape: PixelShape };
  /** Where the result is written. */
  readonly path: string;
  readonly threads: number;
  readonly precision: PrecisionChoice;
  /** For stages that run on an inference server. */
  readonly triton?: TritonOptions | undefined;
}

export type VersionRenderAnswer =
  | { readonly kind: 'rendered'; readonly ms: number }
  /** The version does not accept the photo. */
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** Loads a version, runs it, and writes its result. Never rejects. */
export async function renderVersion(request: VersionRenderRequest): Promise<VersionRenderAnswer> {
  try {
    return { kind: 'rendered', ms: await fastestRun(request) };
  } catch (error) {
    if (error instanceof AppError && error.code !== 'processing_failed')
      return { kind: 'refused', code: error.code };
    return { kind: 'failed', reason: errorText(error) };
  }
}

/** @returns milliseconds */
async function fastestRun(request: VersionRenderRequest): Promise<number> {
  const { folder, level, source: given, path, threads, precision, triton = NO_SERVER } = request;
  const route = (await readVersion(folder)).routes[level];
  const enhancer = await Enhancer.start({
    catalog: { routes: () => [route] },
    device: request.device,
    index: request.index,
    isGuess: request.isGuess,
    threads,
    precision,
    triton,
    onDeath: () => void exitAfterRuns(1),
  });
  const [broken] = await enhancer.warm();
  if (broken !== undefined) throw new Error(broken);
  const source = await PixelFile.adopt(given.path, given.shape);
  const picture = await PixelFile.create(path, renderedShape(route, source));
  let fastestMs = Infinity;
  const startedAt = performance.now();
  for (let runs = 0; runs < MAX_RUNS && performance.now() - startedAt < ENOUGH_MS; runs += 1)
    fastestMs = Math.min(
      fastestMs,
      await timedRender(enhancer, route, { source, picture }, { owner: 'comparison' }),
    );
  await picture.seal();
  await Promise.all([picture.close(), source.close()]);
  await enhancer.close();
  return fastestMs;
}
