import type { Level } from '../kernel/operations.js';
import type { JobModelDto } from '../common/resources/job.dto.js';
import type { ExactSize, StepMask } from '../kernel/step-options.js';
import type { ModelPromise } from '../models/repository/model-promise.js';
import { workKind } from '../models/repository/work-kind.js';

/** One operation of a job, with all defaults resolved. The result of a step is the source of the next one. */
export interface JobStep {
  readonly operation: string;
  readonly level: Level;
  /** What the model promised at creation; null for older jobs. */
  readonly promise: ModelPromise | null;
  /** Pixels that the step reads; of the first step, those of the source. */
  readonly pixels: number;
  /** 0–1, in place of the strength of the level. */
  readonly strength?: number;
  /** The exact size of its result, if the client asked for one. */
  readonly resize?: ExactSize;
  /** What corrects its cutout, if the client painted a mask. */
  readonly mask?: StepMask;
  /** The model that ran the step; recorded when the job completes. */
  readonly model?: JobModelDto;
  /** Recorded when the job completes. */
  readonly inferenceMs?: number;
}

/**
 * The promise of a job with stored steps. Its kind (see `workKind`) names the kinds of all steps, so that only workers
 * that serve every step find the job. Workers of earlier versions, which would run the first step only, find no job of
 * such a kind.
 */
export interface StepsPromise {
  /** Of the first step. */
  readonly version: number;
  readonly scale: 'steps';
  /** The distinct kinds of the steps in order, each after a `+`. */
  readonly producesAlpha: string;
}

/** The columns of a job that say what it does and costs. */
export interface StepColumns {
  /** Of the first step, like `level`. */
  readonly operation: string;
  readonly level: Level;
  readonly promise: ModelPromise | StepsPromise | null;
  /** Null: one step without options, `operation` at `level`. */
  readonly steps: readonly JobStep[] | null;
  /** Enhancements taken from the quota: one for each step. */
  readonly enhancements: number;
  /** Pixels read by all steps; null: those of the source. */
  readonly workPixels: number | null;
}

/**
 * The columns for these steps, at least one.
 * @param isSpecial whether the job has options that workers of earlier versions do not know; its steps are then stored,
 * so that they leave it to others
 */
export function stepColumns(steps: readonly JobStep[], isSpecial: boolean): StepColumns {
  const { operation, level, promise, strength, resize, mask } = steps[0]!;
  const isPlain =
    !isSpecial && [strength, resize, mask, promise?.pinned].every((option) => option === undefined);
  const common = { operation, level, enhancements: steps.length };
  if (steps.length === 1 && isPlain) return { ...common, promise, steps: null, workPixels: null };
  const workPixels = steps.reduce((sum, { pixels }) => sum + pixels, 0);
  return { ...common, promise: stepsPromise(steps), steps, workPixels };
}

/** What the client asked a step to do. */
export function requestOf({
  promise: _promise,
  pixels: _pixels,
  model: _model,
  inferenceMs: _inferenceMs,
  ...request
}: JobStep): Pick<JobStep, 'operation' | 'level'> {
  return request;
}

/** The steps of a job, even of one without stored steps. */
export function stepsOf(
  job: Pick<StepColumns, 'operation' | 'level' | 'promise' | 'steps'> & { readonly sourcePixels: number },
): readonly JobStep[] {
  const { operation, level, promise, steps, sourcePixels } = job;
  // Only jobs with stored steps have the other kind of promise.
  return steps ?? [{ operation, level, promise: promise as ModelPromise | null, pixels: sourcePixels }];
}

/** The names of the operations of a job, in order. */
export function operationsOf(job: Pick<StepColumns, 'operation' | 'steps'>): readonly string[] {
  return job.steps?.map(({ operation }) => operation) ?? [job.operation];
}

function stepsPromise(steps: readonly JobStep[]): StepsPromise {
  const kinds = steps.map(({ operation, level, promise }) => workKind(operation, level, promise));
  return {
    version: steps[0]!.promise?.version ?? 0,
    scale: 'steps',
    producesAlpha: [...new Set(kinds)]
      .toSorted()
      .map((kind) => `+${kind}`)
      .join(''),
  };
}
