import { schemaOfDto } from '../../common/resources/dto-schema.js';
import { invalidRequest } from '../../common/validation/validation.pipe.js';
import type { FieldError } from '../../kernel/app-error.js';
import { EnhancementStepDto } from './enhancement-step.dto.js';
import type { JobRequestDto } from './create-job.dto.js';
import type { RequestedStep } from './job-spec.js';

/** The ways to say what a job does, of which a request takes exactly one. */
const ALTERNATIVES = ['operation', 'operations'] as const;

/** `operation` and the options of a step, which a request with a single operation has at its top level. */
const STEP_FIELDS = Object.keys(
  schemaOfDto(EnhancementStepDto).properties,
) as readonly (keyof EnhancementStepDto)[];

/**
 * The steps of a request.
 * @throws AppError `invalid_request` unless it says what to do in exactly one way
 */
export function requestedSteps(dto: JobRequestDto): readonly RequestedStep[] {
  const errors = contradictions(dto);
  if (errors.length > 0) throw invalidRequest(errors);
  if (dto.operations === undefined) return [{ step: singleStep(dto), fieldOf: (name) => name }];
  return dto.operations.map((step, index) => ({ step, fieldOf: (name) => `operations.${index}.${name}` }));
}

function contradictions(dto: JobRequestDto): readonly FieldError[] {
  const given = ALTERNATIVES.filter((name) => dto[name] !== undefined);
  if (given.length === 0)
    return [{ field: 'operation', code: 'required', message: 'operation is required.' }];
  if (given.length > 1) {
    const message = `Send either ${given.join(' or ')}, not both.`;
    return given.slice(1).map((field) => ({ field, code: 'conflict', message }));
  }
  if (dto.operation !== undefined) return [];
  return STEP_FIELDS.filter((name) => name !== 'operation' && dto[name] !== undefined).map((field) => ({
    field,
    code: 'conflict',
    message: `${field} belongs to an operation. Move it into operations.`,
  }));
}

function singleStep(dto: JobRequestDto): EnhancementStepDto {
  const fields = STEP_FIELDS.flatMap((name) => (dto[name] === undefined ? [] : [[name, dto[name]]]));
  return Object.fromEntries(fields) as EnhancementStepDto;
}
