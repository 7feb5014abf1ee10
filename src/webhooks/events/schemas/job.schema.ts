import { IMAGE_FORMATS, JOB_STATUSES, type JobStatus, LEVELS } from '../../../kernel/operations.js';
import {
  ADDRESS,
  COUNT,
  EDGE,
  idOf,
  type JsonSchema,
  objectOf,
  orNull,
  SHA256,
  TEXT,
  TIME,
  withOptional,
} from './json-schema.js';

const FORMAT: JsonSchema = { type: 'string', enum: IMAGE_FORMATS };
const DURATION_MS: JsonSchema = { type: 'number', minimum: 0 };

const RESULT = objectOf({
  format: FORMAT,
  width: EDGE,
  height: EDGE,
  bytes: COUNT,
  sha256: SHA256,
  expiresAt: { ...TIME, description: 'When the result pixels are erased.' },
});

const ALWAYS: Readonly<Record<string, JsonSchema>> = {
  id: idOf('job'),
  status: { type: 'string', enum: JOB_STATUSES },
  operation: TEXT,
  level: { type: 'string', enum: LEVELS },
  sourceUrl: ADDRESS,
  error: orNull(objectOf({ code: TEXT, message: TEXT, retryable: { type: 'boolean' } })),
  output: objectOf({
    format: FORMAT,
    quality: orNull({ type: 'integer', minimum: 1, maximum: 100 }),
    background: orNull(TEXT),
  }),
  progress: { type: 'number', minimum: 0, maximum: 1 },
  attempts: COUNT,
  model: orNull(objectOf({ name: TEXT, version: COUNT, sha256: SHA256 })),
  device: orNull(TEXT),
  timings: orNull(
    objectOf({
      queuedMs: DURATION_MS,
      decodeMs: DURATION_MS,
      inferenceMs: DURATION_MS,
      encodeMs: DURATION_MS,
      totalMs: DURATION_MS,
    }),
  ),
  metadata: { type: 'object', additionalProperties: TEXT },
  createdAt: TIME,
  startedAt: orNull(TIME),
  completedAt: orNull(TIME),
};

const SHORTENED: Readonly<Record<string, JsonSchema>> = {
  metadataShortened: {
    const: true,
    description:
      'Only there when the largest pairs of `metadata` were left out for want of room: read the job.',
  },
};

/** A job as `GET /api/ai/enhance/:id` answers it, at the moment of the event, in this state. */
export function jobSchema(status: JobStatus): JsonSchema {
  const properties = { ...ALWAYS, status: { const: status } };
  if (status === 'completed') {
    return withOptional(
      { ...properties, resultUrl: ADDRESS, result: RESULT, error: { type: 'null' } },
      SHORTENED,
    );
  }
  const error = status === 'failed' ? { ...ALWAYS['error'], type: 'object' } : { type: 'null' };
  return withOptional({ ...properties, error }, SHORTENED);
}
