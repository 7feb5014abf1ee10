import { isDatabaseUnavailable } from '../infra/database/database-errors.js';

/**
 * Runs the steps of a sweep one after the other. A step that fails does not stop the others, except when the database
 * is unavailable, which all of them need.
 * @throws the error of the step that failed, or an AggregateError of several
 */
export async function runIsolated(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      errors.push(error);
    }
  }
  if (errors.length > 1) throw new AggregateError(errors, errors.map(String).join('; '));
  if (errors.length === 1) throw errors[0];
}
