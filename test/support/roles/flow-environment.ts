import { childEnvironment } from '../../../src/config/child-environment.js';
import { DESCRIPTORS } from '../../../src/config/env.js';

/** A worker then loads and warms its models once, not once per stream: half the work of its start. */
export const ONE_STREAM = { INFERENCE_STREAMS: '1' } as const;

/** With `auto`, results would depend on the processor: some are faster with 8-bit integers. */
export const SINGLE_PRECISION = { PRECISION: 'float32' } as const;

/** The environment of a service under test: it contains only the given service variables, whatever is set here. */
export function flowEnvironment(variables: Readonly<Record<string, string>>): Record<string, string> {
  const unset = Object.values(DESCRIPTORS).map(({ name }) => [name, undefined] as const);
  return childEnvironment({ ...Object.fromEntries(unset), ...variables });
}
