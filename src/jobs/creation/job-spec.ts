import { DEFAULT_LEVEL, type ImageFormat, type Level } from '../../kernel/operations.js';
import { invalidRequest } from '../../common/validation/validation.pipe.js';
import type { CatalogOperation } from '../../models/repository/catalog.js';
import type { JobOutput } from '../job.entity.js';
import type { JobStep } from '../job-step.js';
import type { OutputDto } from './create-job.dto.js';
import type { EnhancementStepDto } from './enhancement-step.dto.js';
import { type OutputLimits, refuseTooManyPixels, refuseUnencodable } from './result-limits.js';

/** A step as the client asked for it. */
export interface RequestedStep {
  readonly step: EnhancementStepDto;
  /** The path of a field of the step in the request, for errors. */
  readonly fieldOf: (name: string) => string;
}

/** A step whose operation is offered. */
export interface OfferedStep extends Omit<RequestedStep, 'step'> {
  readonly operation: CatalogOperation;
  readonly level: Level;
}

export interface SourceShape {
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
}

/** The result that a job is going to have. */
export interface ResultShape {
  readonly format: ImageFormat;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** What a job does, with all defaults resolved. */
export interface JobSpec {
  readonly steps: readonly JobStep[];
  readonly output: JobOutput;
  readonly result: ResultShape;
}

/** An image between two steps. */
type Shape = Pick<SourceShape, 'width' | 'height' | 'hasAlpha'>;

/**
 * Looks up the operations of a request.
 * @throws AppError `invalid_request` with every step whose operation is not offered
 */
export function offeredSteps(
  requested: readonly RequestedStep[],
  offered: readonly CatalogOperation[],
): readonly OfferedStep[] {
  const byName = new Map(offered.map((operation) => [operation.operation, operation]));
  const unknown = requested.filter(({ step }) => !byName.has(step.operation));
  if (unknown.length > 0) {
    const names = [...byName.keys()].join(', ');
    throw invalidRequest(
      unknown.map(({ fieldOf }) => {
        const field = fieldOf('operation');
        return { field, code: 'enum', message: `${field} must be one of ${names}.` };
      }),
    );
  }
  return requested.map(({ step, fieldOf }) => ({
    operation: byName.get(step.operation)!,
    level: step.level ?? DEFAULT_LEVEL,
    fieldOf,
  }));
}

/**
 * Resolves the steps and the output for a source, and checks the limits of every step.
 * @throws AppError `invalid_request` when the output cannot hold transparency; `too_many_pixels` with the field of the
 * step
 */
export function jobSpecOf(
  requested: readonly OfferedStep[],
  output: OutputDto | undefined,
  source: SourceShape,
  limits: OutputLimits,
): JobSpec {
  let shape: Shape = source;
  const steps = requested.map((one) => {
    const planned = planStep(one, shape);
    refuseTooManyPixels(planned.result, limits, one.fieldOf('operation'));
    shape = planned.result;
    return planned.step;
  });
  const resolved = outputOf(output, steps, source);
  const { format, background } = resolved;
  refuseUnencodable({ ...shape, format, hasAlpha: background === null && shape.hasAlpha }, limits);
  const { width, height } = shape;
  return { steps, output: resolved, result: { format, width, height } };
}

function outputOf(
  output: OutputDto | undefined,
  steps: readonly JobStep[],
  source: Pick<SourceShape, 'format'>,
): JobOutput {
  const cutout = steps.find(({ promise }) => promise?.producesAlpha === true)?.operation;
  const format = output?.format ?? (cutout === undefined ? source.format : 'png');
  const background = output?.background?.toLowerCase() ?? null;
  if (cutout !== undefined && format === 'jpeg' && background === null) {
    const message = `output.background is required for ${cutout} with jpeg, which has no transparency.`;
    throw invalidRequest([{ field: 'output.background', code: 'required', message }]);
  }
  return { format, quality: output?.quality ?? null, background };
}

function planStep(
  { operation, level }: OfferedStep,
  { width, height, hasAlpha }: Shape,
): { readonly step: JobStep; readonly result: Shape } {
  const { producesAlpha, model } = operation;
  const scale = operation.scales[level];
  return {
    step: {
      operation: operation.operation,
      level,
      promise: { version: model.version, scale, producesAlpha },
      pixels: width * height,
    },
    result: { width: width * scale, height: height * scale, hasAlpha: hasAlpha || producesAlpha },
  };
}
