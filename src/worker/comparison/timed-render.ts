import type { Enhancer } from '../../inference/enhancer.js';
import { analysisImage } from '../../infra/image/codec/analysis-image.js';
import type { PixelFile } from '../../infra/image/codec/pixel-file.js';
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
  await enhancer.renderTo(route, { source, target: picture }, analysis, {
    ...(signal && { signal }),
    owner,
  });
  return performance.now() - startedAt;
}
