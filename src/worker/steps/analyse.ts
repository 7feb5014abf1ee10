import type { AnalysisResult } from '../../inference/analysis-result.js';
import type { Enhancer } from '../../inference/enhancer.js';
import { analysisImage } from '../../infra/image/codec/analysis-image.js';
import type { ModelRoute } from '../../models/manifest/model-route.js';
import type { JobRun } from '../job-run.js';
import type { DecodedSource } from './decode.js';

export interface AnalysedSource extends DecodedSource {
  /** Null when the operation has no analyse stage. */
  readonly analysis: AnalysisResult | null;
}

/**
 * Runs the operation's analyse stage, if it has one, over the whole image at the stage's fixed small size.
 */
export async function analyse(
  run: JobRun,
  route: ModelRoute,
  { source }: DecodedSource,
  enhancer: Enhancer,
): Promise<AnalysedSource> {
  const stage = route.analyse;
  if (stage === null) return { source, analysis: null };
  const small = await run.stopwatch.time('decodeMs', () => analysisImage(source, stage.size));
  const analysis = await run.stopwatch.time('inferenceMs', () => enhancer.analyse(route, small, run.signal));
  return { source, analysis: run.resources.analysis(analysis) };
}
