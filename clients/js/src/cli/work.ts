import type { CreateJob } from '../generated/schema.js';
import type { Enhancement, JobStep, OperationName } from '../jobs/order.js';
import { oneOf, UsageError } from './values.js';

const LEVELS = ['low', 'medium', 'high'] as const;
const DEFAULT_OPERATION = 'auto_enhance';

/** Flags that select the operations, for `parseArgs`. */
export const WORK_FLAGS = {
  operation: { type: 'string', short: 'p' },
  level: { type: 'string', short: 'l' },
  // eslint-disable-next-line unicorn/no-thenable -- the name of the flag; nothing awaits it
  then: { type: 'string', multiple: true },
  model: { type: 'string', multiple: true },
  preset: { type: 'string' },
} as const;

interface Values {
  readonly operation?: string;
  readonly level?: string;
  readonly then?: readonly string[];
  readonly model?: readonly string[];
  readonly preset?: string;
}

/** The work to do on each image. */
export interface Work {
  /** As in a request body, to be spread into one. */
  readonly order: Enhancement & StepOptions;
  /** Used in the names of results: the first operation, or the name of the preset. */
  readonly label: string;
  /** Undefined for a preset, because only the service knows its steps. */
  readonly steps: readonly JobStep[] | undefined;
}

/** The options of the first operation. */
export type StepOptions = Pick<CreateJob, 'level' | 'strength' | 'scale' | 'width' | 'height' | 'fit'>;

/** @throws UsageError */
export function readWork(values: Values, options: StepOptions): Work {
  if (values.preset !== undefined) return presetOf(values.preset, values, options);
  const level = oneOf('--level', values.level, LEVELS);
  // The service rejects unknown operations. It may offer additional ones from custom models.
  const operation = (values.operation ?? DEFAULT_OPERATION) as OperationName;
  const first = { operation, ...(level === undefined ? {} : { level }), ...options };
  const steps = pinned([first, ...(values.then ?? []).map(readStep)], values.model ?? []);
  return { order: steps.length === 1 ? steps[0]! : { operations: steps }, label: operation, steps };
}

/** Parses `upscale` or `upscale:high`. */
function readStep(text: string): JobStep {
  const [name, levelText, ...rest] = text.split(':');
  if (name === undefined || name === '' || rest.length > 0)
    throw new UsageError(`--then takes an operation, or one with its level as upscale:high, not "${text}".`);
  const level = oneOf(`The level of --then ${name}`, levelText, LEVELS);
  return { operation: name as OperationName, ...(level === undefined ? {} : { level }) };
}

/** Applies each `upscale@2` to the steps with that operation. */
function pinned(steps: readonly JobStep[], models: readonly string[]): JobStep[] {
  const byOperation = new Map(
    models.map((model) => {
      const [, operation] = /^([a-z][a-z0-9_]*)@\d+$/.exec(model) ?? [];
      if (operation === undefined)
        throw new UsageError(
          `--model takes an operation and a version of its model, as upscale@2, not "${model}".`,
        );
      if (!steps.some((step) => step.operation === operation))
        throw new UsageError(`--model ${model} is for ${operation}, which is none of the operations.`);
      return [operation, model] as const;
    }),
  );
  return steps.map((step) => {
    const model = byOperation.get(step.operation);
    return model === undefined ? step : { ...step, model };
  });
}

function presetOf(preset: string, values: Values, options: StepOptions): Work {
  const isAlone =
    values.operation === undefined &&
    values.level === undefined &&
    (values.then ?? []).length === 0 &&
    (values.model ?? []).length === 0 &&
    Object.keys(options).length === 0;
  if (!isAlone) {
    throw new UsageError(
      `The preset ${preset} says what is done. Leave out --operation, --level, --then, --model and the options of an operation.`,
    );
  }
  return { order: { preset }, label: preset, steps: undefined };
}
