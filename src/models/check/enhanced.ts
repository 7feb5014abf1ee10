import type { ModelRoute } from '../manifest/model-route.js';
import type { Enhancer } from '../../inference/enhancer.js';
import { analysisImage } from '../../infra/image/codec/analysis-image.js';
import type { RawImage } from '../../kernel/pixels.js';

/**
 * Runs one image through analyse and render in memory, as a job does, but leaves the color of transparent pixels to the
 * model.
 * @throws errors of the enhancer
 */
export async function enhanced(enhancer: Enhancer, route: ModelRoute, image: RawImage): Promise<RawImage> {
  const { analyse } = route;
  const analysis =
    analyse === null ? null : await enhancer.analyse(route, await analysisImage(image, analyse.size));
  return enhancer.render(route, image, analysis);
}
