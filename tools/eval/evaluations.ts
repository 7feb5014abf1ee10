import { evaluateAutoEnhance } from './eval-auto-enhance.js';
import { evaluateBgRemove } from './eval-bg-remove.js';
import type { Evaluation } from './eval-row.js';
import { evaluateSmoothSkin } from './eval-smooth-skin.js';
import { evaluateUpscale } from './eval-upscale.js';

/** The available evaluations. Custom operations have no standard measure. */
export const EVALUATIONS: Readonly<Record<string, Evaluation>> = {
  upscale: evaluateUpscale,
  auto_enhance: evaluateAutoEnhance,
  bg_remove: evaluateBgRemove,
  smooth_skin: evaluateSmoothSkin,
};
