import type { JobStep } from '../jobs/job-step.js';
import type { ModelRoute } from '../models/manifest/model-route.js';

/** A step of a job, with the model that runs it here. */
export interface RunStep {
  readonly step: JobStep;
  readonly route: ModelRoute;
}

/** What the resources of a step depend on. */
export interface StepSize {
  readonly step: Pick<JobStep, 'pixels' | 'resize' | 'mask'>;
  readonly route: Pick<ModelRoute, 'scale' | 'producesAlpha'>;
}

/** Pixels that the model of a step makes. */
export function resultPixels({ step, route }: StepSize): number {
  return step.pixels * route.scale * route.scale;
}
