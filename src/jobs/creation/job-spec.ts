import type { ImageFormat } from '../../kernel/operations.js';
import { invalidRequest } from '../../common/validation/validation.pipe.js';
import type { CatalogOperation } from '../../models/repository/described-versions.js';
import type { JobOutput } from '../job-output.js';
import type { JobStep } from '../job-step.js';
import type { EnhancementStepDto } from './enhancement-step.dto.js';
import type { OutputDto } from './output/output.dto.js';
import { pinnedVersion } from './pinned-version.js';
import { planOutput, type RequestedBackground } from './output/output-plan.js';
import { resolveStep } from './step-options.js';
import { refuseOtherProportions } from './step-mask.js';
import type { StepMask } from '../../kernel/step-options.js';
import { type OutputLimits, refuseTooManyPixels, refuseUnencodable } from './output/result-limits.js';

/** A step as the client asked for it. */
export interface RequestedStep {
  readonly step: EnhancementStepDto;
  /** The path of a field of the step in the request, for errors. */
  readonly fieldOf: (name: string) => string;
}

/** A step whose operation is offered. */
export interface OfferedStep extends RequestedStep {
  /** In the serving version, or in the one that the step pins. */
  readonly operation: CatalogOperation;
}

/** What a request may ask for. */
export interface Offer {
  /** The version of each operation that new jobs get. */
  readonly operations: readonly CatalogOperation[];
  /** All versions that can be pinned. */
  readonly versions: readonly CatalogOperation[];
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

/** The uploads that a job reads. */
export interface JobPictures {
  readonly source: SourceShape;
  /** The upload that `output.background` names. */
  readonly picture?: RequestedBackground | undefined;
  /** The uploads that the steps name as `mask`, in their order; undefined for steps without one. */
  readonly masks?: readonly (StepMask | undefined)[] | undefined;
}

/** An image between two steps. */
type Shape = Pick<SourceShape, 'width' | 'height' | 'hasAlpha'>;

/**
 * Looks up the operations of a request.
 * @throws AppError `invalid_request` with every step whose operation is not offered, or with one whose version is not
 */
export function offeredSteps(
  requested: readonly RequestedStep[],
  { operations, versions }: Offer,
): readonly OfferedStep[] {
  const byName = new Map(operations.map((operation) => [operation.operation, operation]));
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
  return requested.map((one) => {
    const operation = pinnedVersion(one, versions) ?? byName.get(one.step.operation)!;
    return Object.assign(one, { operation });
  });
}

/**
 * Resolves the steps and the output for a source, and checks the limits of every step.
 * @throws AppError `invalid_request` with the output options that do not fit; `too_many_pixels` with the field of the
 * step
 */
export function jobSpecOf(
  requested: readonly OfferedStep[],
  output: OutputDto | undefined,
  { source, picture, masks }: JobPictures,
  limits: OutputLimits,
): JobSpec {
  let shape: Shape = source;
  const steps = requested.map((one, index) => {
    const planned = planStep(one, shape, masks?.[index]);
    refuseTooManyPixels(planned.rendered, limits, one.fieldOf('operation'));
    shape = planned.result;
    return planned.step;
  });
  const cutout = steps.find(({ promise }) => promise?.producesAlpha === true)?.operation;
  const planned = planOutput(output ?? {}, { ...shape, cutout, format: source.format }, picture);
  if (planned.output.mostPixels !== undefined) refuseTooManyPixels(planned.result, limits, 'output.padding');
  refuseUnencodable(planned.result, limits);
  const { format, width, height } = planned.result;
  return { steps, output: planned.output, result: { format, width, height } };
}

interface PlannedStep {
  readonly step: JobStep;
  /** What the model renders. */
  readonly rendered: Shape;
  /** The same in the requested size. */
  readonly result: Shape;
}

function planStep(
  { step, operation, fieldOf }: OfferedStep,
  image: Shape,
  mask: StepMask | undefined,
): PlannedStep {
  const { producesAlpha, model, scales } = operation;
  const { level, ...options } = resolveStep(step, operation, image, fieldOf);
  if (mask !== undefined) refuseOtherProportions(mask, image, fieldOf('mask.sourceUrl'));
  const scale = scales[level];
  const { width, height } = image;
  const rendered = {
    width: width * scale,
    height: height * scale,
    hasAlpha: image.hasAlpha || producesAlpha,
  };
  return {
    step: {
      operation: operation.operation,
      level,
      promise: {
        version: model.version,
        scale,
        producesAlpha,
        ...(step.model !== undefined && { pinned: true as const }),
      },
      pixels: width * height,
      ...options,
      ...(mask && { mask }),
    },
    rendered,
    result: { ...rendered, ...options.resize },
  };
}
