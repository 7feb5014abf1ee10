import { applyDecorators } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiCreatedResponse,
  ApiExtraModels,
  ApiHeader,
  ApiOperation,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import { KEY_PROBLEMS, Problems } from '../../common/problems/problems.decorator.js';
import { CONTENT_DIGEST_HEADER } from '../../common/requests/content-digest.js';
import { ApiJsonOrForm, FILE_PART } from '../../common/requests/form-body.decorator.js';
import { ApiPreferWait } from '../../common/requests/prefer-wait.decorator.js';
import { JobDto } from '../../common/resources/job.dto.js';
import { IDEMPOTENCY_HEADER } from '../../idempotency/idempotency-key.decorator.js';
import { LEVELS } from '../../kernel/operations.js';
import { IMAGE_CONTENT } from '../../uploads/files/file-route.decorator.js';
import { DryRunDto } from '../preview/dry-run.dto.js';
import { CANCEL_AFTER_HEADER } from './cancel-after.js';
import { CreateJobDto } from './create-job.dto.js';

const LOCATION = { Location: { schema: { type: 'string' as const } } };
const JOB_ID = { 'X-Job-Id': { schema: { type: 'string' as const }, description: 'The id of the job.' } };

const FORM = {
  required: ['file'],
  description:
    'The file and the members of the JSON body beside it: as JSON (`output={"format":"webp"}`) or with dotted names (`output.format=webp`, `metadata.order-id=4711`). `sourceUrl` and `dryRun` are for JSON.',
  additionalProperties: true,
  properties: {
    file: FILE_PART,
    operation: { type: 'string' },
    level: { type: 'string', enum: [...LEVELS] },
    preset: { type: 'string' },
    output: { type: 'string', description: 'JSON, as in the JSON body.' },
    metadata: {
      type: 'string',
      description: 'JSON, as in the JSON body. Or a field for each pair: `metadata.` and the key.',
    },
  },
};

/** The route that creates jobs, in the OpenAPI document. */
export const ApiCreateJob = (): MethodDecorator =>
  applyDecorators(
    ApiOperation({
      summary: 'Create an enhancement job',
      operationId: 'createJob',
      description:
        'Takes one enhancement from the plan, which is given back if the job fails or is canceled. Send an `Idempotency-Key` to retry safely, and `Prefer: wait=n` to get the finished job in one request. With `multipart/form-data`, the request contains the file: one request uploads it and creates the job. With `Accept: image/*` and `Prefer`, the response is the image.',
    }),
    ApiPreferWait(),
    ApiHeader(IDEMPOTENCY_HEADER),
    ApiHeader(CANCEL_AFTER_HEADER),
    ApiHeader(CONTENT_DIGEST_HEADER),
    ApiJsonOrForm(CreateJobDto, FORM),
    ApiExtraModels(DryRunDto),
    ApiCreatedResponse({ type: JobDto, headers: LOCATION }),
    ApiResponse({
      status: 200,
      description:
        'With `dryRun`: what the job would do; no job was created. With `Accept: image/*` and `Prefer: wait`: the image, if the job ended in time.',
      headers: JOB_ID,
      content: { 'application/json': { schema: { $ref: getSchemaPath(DryRunDto) } }, ...IMAGE_CONTENT },
    }),
    ApiAcceptedResponse({
      type: JobDto,
      headers: LOCATION,
      description:
        'The job was created, but the service could not wait for it, or it did not finish in time to return the image. Poll the job.',
    }),
    Problems(
      'malformed_json',
      'invalid_request',
      'invalid_multipart',
      'invalid_source_url',
      'quota_exceeded',
      'not_found',
      'preset_not_found',
      'upload_timeout',
      'idempotency_in_progress',
      'canceled',
      'gone',
      'payload_too_large',
      'unsupported_media_type',
      'hdr_image',
      'undecodable_image',
      'animated_image',
      'too_many_pixels',
      'no_subject_found',
      'result_too_large',
      'idempotency_mismatch',
      'pixel_rate_limited',
      'too_many_uploads',
      'processing_failed',
      'worker_lost',
      ...KEY_PROBLEMS,
    ),
  );
