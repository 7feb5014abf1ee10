import { ImageEnhancementError } from '../../errors.js';
import type { JobTerms } from '../../jobs/order.js';
import { type InputSchema, ORDER_PROPERTIES } from './tool-schemas.js';

/**
 * The arguments that an agent passes to a tool. The service validates the job options; this class validates the rest.
 */
export class ToolArguments {
  /** @throws ImageEnhancementError `invalid_argument` for an unknown name or a missing required one */
  constructor(
    private readonly values: Readonly<Record<string, unknown>>,
    schema: InputSchema,
  ) {
    const unknown = Object.keys(values).find((name) => !Object.hasOwn(schema.properties, name));
    if (unknown !== undefined) {
      throw invalid(`${unknown} is no argument. There are: ${Object.keys(schema.properties).join(', ')}.`);
    }
    const missing = (schema.required ?? []).find((name) => values[name] == null);
    if (missing !== undefined) throw invalid(`${missing} is missing.`);
  }

  text(name: string): string | undefined {
    const value = this.values[name];
    if (value == null) return undefined;
    if (typeof value !== 'string' || value === '') throw invalid(`${name} must be text.`);
    return value;
  }

  texts(name: string): readonly string[] {
    const value = this.values[name];
    const areTexts = Array.isArray(value) && value.every((each) => typeof each === 'string' && each !== '');
    if (!areTexts) throw invalid(`${name} must be a list of texts.`);
    return value as string[];
  }

  flag(name: string): boolean {
    const value = this.values[name] ?? false;
    if (typeof value !== 'boolean') throw invalid(`${name} must be true or false.`);
    return value;
  }

  seconds(name: string, max: number): number {
    const value = this.values[name] ?? 0;
    if (typeof value !== 'number' || !(value >= 0 && value <= max))
      throw invalid(`${name} must be a number from 0 to ${max}.`);
    return value;
  }

  /** The operation or preset to apply. Default: auto_enhance. */
  order(): JobTerms {
    const entries = Object.keys(ORDER_PROPERTIES).flatMap((name) => {
      const value = this.values[name];
      return value == null ? [] : [[name, value] as const];
    });
    const given = Object.fromEntries(entries) as Partial<JobTerms>;
    if (given.output !== undefined && (typeof given.output !== 'object' || Array.isArray(given.output)))
      throw invalid('output must be an object.');
    const isSaid = ['operation', 'operations', 'preset'].some((name) => name in given);
    return isSaid ? given : { operation: 'auto_enhance', ...(given as object) };
  }
}

function invalid(message: string): ImageEnhancementError {
  return new ImageEnhancementError('invalid_argument', message);
}
