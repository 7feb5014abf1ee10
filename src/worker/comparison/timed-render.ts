import type { Enhancer } from '../../inference/enhancer.js';
import { analysisImage } from '../../infra/image/codec/analysis-image.js';
import type { PixelFile } from '../../infra/image/codec/pixel-file.js';
import { enlargeable } from '../../infra/image/transparency/alpha-bleed-source.js';
import type { ModelRoute } from '../../models/manifest/model-route.js';

/** @returns the inference time, milliseconds */
export async function timedRender(
  enhancer: Enhancer,
  route: ModelRoute,
  { source, picture }: { readonly source: PixelFile; readonly picture: PixelFile },
  { signal, owner }: { readonly signal?: AbortSignal; readonly owner: string },
): Promise<number> {
  const small = route.analyse === null ? null : await analysisImage(source, route.analyse.size);
  const startedAt = performance.now();
  const analysis = small === null ? null : await enhancer.analyse(route, small, signal);
  const pixels = { source: enlargeable(source, route.scale), target: picture };
  await enhancer.renderTo(route, pixels, analysis, {
    ...(signal && { signal }),
    owner,
  });
  return performance.now() - startedAt;
}
