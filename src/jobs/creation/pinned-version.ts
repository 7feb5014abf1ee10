import { invalidRequest } from '../../common/validation/validation.pipe.js';
import type { CatalogOperation } from '../../models/repository/described-versions.js';
import type { EnhancementStepDto } from './enhancement-step.dto.js';

interface PinningStep {
  readonly step: EnhancementStepDto;
  /** The path of a field of the step in the request. */
  readonly fieldOf: (name: string) => string;
}

/**
 * The version that a step pins; undefined for one that pins none.
 * @param versions all that are served
 * @throws AppError `invalid_request` for a version of another operation, and for one that no worker serves
 */
export function pinnedVersion(
  { step, fieldOf }: PinningStep,
  versions: readonly CatalogOperation[],
): CatalogOperation | undefined {
  if (step.model === undefined) return undefined;
  const [operation = '', version] = step.model.split('@');
  const field = fieldOf('model');
  if (operation !== step.operation) {
    const message = `${field} must be a version of ${step.operation}, such as ${step.operation}@1.`;
    throw invalidRequest([{ field, code: 'conflict', message }]);
  }
  const served = versions.filter((one) => one.operation === operation);
  const found = served.find((one) => one.model.version === Number(version));
  if (found !== undefined) return found;
  const numbers = [...new Set(served.map(({ model }) => model.version))].toSorted((a, b) => a - b);
  const names = numbers.map((number) => `${operation}@${number}`).join(', ');
  const message = `No worker serves ${step.model}. Use ${names || 'another operation'}, or omit ${field}.`;
  throw invalidRequest([{ field, code: 'not_served', message }]);
}
