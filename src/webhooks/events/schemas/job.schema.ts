import { type JsonSchema, type ObjectSchema, schemaOfDto } from '../../../common/resources/dto-schema.js';
import { JobDto, JobErrorDto } from '../../../common/resources/job.dto.js';
import type { JobStatus } from '../../../kernel/operations.js';

const JOB = schemaOfDto(JobDto);
/** The members that only a completed job has. */
const RESULT = ['resultUrl', 'result'];

/** A member of an event whose metadata was too large. */
export const METADATA_SHORTENED: JsonSchema = {
  const: true,
  description:
    'Only present when the largest pairs of `metadata` were left out to keep the event small: read the job or batch.',
};

/** A job as `GET /api/ai/enhance/:id` returns it, in this state. */
export function jobSchema(status: JobStatus): ObjectSchema {
  const isCompleted = status === 'completed';
  const properties = Object.entries(JOB.properties).filter(([name]) => isCompleted || !RESULT.includes(name));
  return {
    type: 'object',
    required: [...JOB.required, ...(isCompleted ? RESULT : [])],
    properties: {
      ...Object.fromEntries(properties),
      status: { const: status },
      error: status === 'failed' ? schemaOfDto(JobErrorDto) : { type: 'null' },
      metadataShortened: METADATA_SHORTENED,
    },
  };
}
