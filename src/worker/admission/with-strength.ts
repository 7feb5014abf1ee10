import type { JobStep } from '../../jobs/job-step.js';
import type { ModelRoute } from '../../models/manifest/model-route.js';

/** The route of a step at the strength that the client asked for. */
export function withStrength(route: ModelRoute, { strength }: JobStep): ModelRoute {
  return strength === undefined ? route : { ...route, strength };
}
