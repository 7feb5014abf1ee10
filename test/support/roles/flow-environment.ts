import { childEnvironment } from '../../../src/config/child-environment.js';
import { DESCRIPTORS } from '../../../src/config/env.js';

/** The environment of a service under test: of the service's own variables exactly those given, whatever is set here. */
export function flowEnvironment(variables: Readonly<Record<string, string>>): Record<string, string> {
  const unset = Object.values(DESCRIPTORS).map(({ name }) => [name, undefined] as const);
  return childEnvironment({ ...Object.fromEntries(unset), ...variables });
}
