import { schemaOfDto } from '../../common/resources/dto-schema.js';
import { invalidRequest } from '../../common/validation/validation.pipe.js';
import type { FieldError } from '../../kernel/app-error.js';
import { EnhancementStepDto } from './enhancement-step.dto.js';
import type { JobRequestDto } from './create-job.dto.js';
import type { RequestedStep } from './job-spec.js';

/** The ways to say what a job does, of which a request takes exactly one. */
const ALTERNATIVES = ['operation', 'operations', 'preset'] as const;

/** `operation` and the options of a step, which a request with a single operation has at its top level. */
const STEP_FIELDS = Object.keys(
  schemaOfDto(EnhancementStepDto).properties,
) as readonly (keyof EnhancementStepDto)[];

/** A request in which the operations and the output of its preset, if any, replace the name. */
export type Expanded<Dto extends JobRequestDto> = Omit<Dto, 'preset' | 'acceptedFormat'> & {
  /** The preset that the operations come from. */
  readonly presetName?: string;
};

/** What a job does. */
export type JobRequest = Expanded<JobRequestDto>;

/** The steps of a request without contradictions. */
export function requestedSteps(request: JobRequest): readonly RequestedStep[] {
  const { operations, presetName } = request;
  if (operations === undefined) return [{ step: singleStep(request), fieldOf: (name) => name }];
  const list = presetName === undefined ? 'operations' : 'preset.operations';
  return operations.map((step, index) => ({ step, fieldOf: (name) => `${list}.${index}.${name}` }));
}

/** @throws AppError `invalid_request` unless the request says what to do in exactly one way */
export function refuseContradictions(dto: JobRequestDto): void {
  const errors = contradictions(dto);
  if (errors.length > 0) throw invalidRequest(errors);
}

function contradictions(dto: JobRequestDto): readonly FieldError[] {
  const given = ALTERNATIVES.filter((name) => dto[name] !== undefined);
  if (given.length === 0)
    return [{ field: 'operation', code: 'required', message: 'operation is required.' }];
  if (given.length > 1) {
    const message = `Send only one of ${given.join(', ')}.`;
    return given.slice(1).map((field) => ({ field, code: 'conflict', message }));
  }
  if (dto.operation !== undefined) return [];
  return STEP_FIELDS.filter((name) => name !== 'operation' && dto[name] !== undefined).map((field) => ({
    field,
    code: 'conflict',
    message:
      dto.preset === undefined
        ? `${field} belongs to an operation. Move it into operations.`
        : `${field} cannot be combined with preset. Omit it, or send operations instead.`,
  }));
}

function singleStep(dto: JobRequest): EnhancementStepDto {
  const fields = STEP_FIELDS.flatMap((name) => (dto[name] === undefined ? [] : [[name, dto[name]]]));
  return Object.fromEntries(fields) as EnhancementStepDto;
}
