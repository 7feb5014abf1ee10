import { deviceEnvironment } from '../../config/child-environment.js';
import { compiledModule } from '../../config/compiled-module.js';
import { renderedShape } from '../../inference/render-job.js';
import { PixelFile } from '../../infra/image/codec/pixel-file.js';
import { askOnce } from '../../infra/processes/ask-once.js';
import type { VersionResult } from '../../models/serving/comparisons/version-comparison.js';
import type { ModelRoute } from '../../models/manifest/model-route.js';
import type { VersionRenderAnswer, VersionRenderRequest } from './render-version.js';

/** Loading a large model and a few runs on a small photo. */
const LIMIT_MS = 180_000;
/** Memory of Node.js and its threads before a model is loaded, and of the small photo. */
const BASE_BYTES = 1_000_000_000;

/** A comparison that would fail again; the message is a sentence for the operator. */
export class ComparisonFailure extends Error {}

/** What a version made of the photo. */
export interface VersionRun {
  readonly result: VersionResult;
  /** Null when the version refused the photo. */
  readonly picture: PixelFile | null;
}

/**
 * Runs a version in a process of its own. The version may never have been checked, so its memory is limited as in a
 * check, except where it may run on a GPU, whose driver maps far more memory than it uses.
 * @param memoryLimitBytes the limit of a check
 * @throws ComparisonFailure; the reason of the signal
 */
export async function runVersion(
  route: ModelRoute,
  photo: PixelFile,
  request: Omit<VersionRenderRequest, 'level' | 'source'>,
  memoryLimitBytes: number,
  signal: AbortSignal,
): Promise<VersionRun> {
  const { width, height, channels } = photo;
  const source = { path: photo.path, shape: { width, height, channels } };
  const order: VersionRenderRequest = { ...request, level: route.level, source };
  const isOnCpu = request.device === 'cpu';
  const end = await askOnce(compiledModule('main.version-render.js'), order, {
    env: deviceEnvironment(),
    limitMs: LIMIT_MS,
    signal,
    memoryLimitBytes: isOnCpu ? memoryLimitBytes + BASE_BYTES : undefined,
  });
  const name = `${route.operation}/${route.model.version}`;
  if (end.kind === 'late')
    throw new ComparisonFailure(`${name} did not finish within ${LIMIT_MS / 1_000} seconds.`);
  if (end.kind === 'exited')
    throw new ComparisonFailure(
      `${name} ended the process that ran it (${end.signal ?? `exit code ${end.code}`}).`,
    );
  const answer = end.answer as VersionRenderAnswer;
  if (answer.kind === 'failed') throw new ComparisonFailure(`${name} failed: ${answer.reason}`);
  if (answer.kind === 'refused') return { result: refused(answer.code), picture: null };
  const picture = await PixelFile.adoptForeign(request.path, renderedShape(route, photo));
  const shape = { width: picture.width, height: picture.height };
  return { result: { ...shape, inferenceMs: answer.ms, refusal: null }, picture };
}

const refused = (code: string): VersionResult => ({
  width: null,
  height: null,
  inferenceMs: null,
  refusal: code,
});
