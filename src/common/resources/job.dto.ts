import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ERROR_CODES } from '../../kernel/errors/error-codes.js';
import {
  IMAGE_FORMATS,
  type ImageFormat,
  JOB_STATUSES,
  type JobStatus,
  type Level,
  LEVELS,
} from '../../kernel/operations.js';
import { RESIZE_FITS, type ResizeFit } from '../../kernel/step-options.js';
import { AppliedOutputDto, JobOutputDto } from './job-output.dto.js';
import { PageDto } from '../lists/page.dto.js';

export class JobResultDto {
  @ApiProperty({ enum: IMAGE_FORMATS })
  format: ImageFormat;

  @ApiProperty({ type: 'integer' })
  width: number;

  @ApiProperty({ type: 'integer' })
  height: number;

  @ApiProperty({ type: 'integer' })
  bytes: number;

  @ApiProperty({ type: 'string' })
  sha256: string;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'When the result pixels are erased.' })
  expiresAt: string;

  @ApiPropertyOptional({
    type: AppliedOutputDto,
    description:
      'What was done to the result besides its operations. Absent for results of earlier versions.',
  })
  applied?: AppliedOutputDto;
}

export class JobErrorDto {
  @ApiProperty({ enum: Object.keys(ERROR_CODES) })
  code: string;

  @ApiProperty({ type: 'string' })
  message: string;

  @ApiProperty({ type: 'boolean', description: 'Whether the same job may succeed when it is created again.' })
  retryable: boolean;
}

export class JobModelDto {
  @ApiProperty({ type: 'string' })
  name: string;

  @ApiProperty({ type: 'integer' })
  version: number;

  @ApiProperty({ type: 'string' })
  sha256: string;
}

export class JobTimingsDto {
  @ApiProperty({ type: 'number' })
  queuedMs: number;

  @ApiProperty({ type: 'number' })
  decodeMs: number;

  @ApiProperty({ type: 'number' })
  inferenceMs: number;

  @ApiProperty({ type: 'number' })
  encodeMs: number;

  @ApiProperty({ type: 'number', description: 'From creation to completion.' })
  totalMs: number;
}

export class JobOperationTimingsDto {
  @ApiProperty({ type: 'number' })
  inferenceMs: number;
}

export class JobMaskDto {
  @ApiProperty({ type: 'string', format: 'uri' })
  sourceUrl: string;
}

export class JobOperationDto {
  @ApiProperty({ type: 'string', example: 'upscale' })
  operation: string;

  @ApiProperty({ enum: LEVELS })
  level: Level;

  @ApiPropertyOptional({
    type: 'number',
    description: 'If it was chosen in place of the strength of the level.',
  })
  strength?: number;

  @ApiPropertyOptional({ type: 'integer', description: 'The exact size of its result, if one was chosen.' })
  width?: number;

  @ApiPropertyOptional({ type: 'integer' })
  height?: number;

  @ApiPropertyOptional({ enum: RESIZE_FITS })
  fit?: ResizeFit;

  @ApiPropertyOptional({ type: JobMaskDto, description: 'What corrected its cutout, if a mask was sent.' })
  mask?: JobMaskDto;

  @ApiProperty({ type: JobModelDto, nullable: true })
  model: JobModelDto | null;

  @ApiProperty({ type: JobOperationTimingsDto, nullable: true })
  timings: JobOperationTimingsDto | null;
}

export class JobDto {
  @ApiProperty({ type: 'string', example: 'job_0193f2c4a1b27c3d8e4f5a6b7c8d9e0f' })
  id: string;

  @ApiProperty({ type: 'boolean', description: 'False for a job of test mode.' })
  livemode: boolean;

  @ApiProperty({ enum: JOB_STATUSES, description: '`completed` and `failed` are final.' })
  status: JobStatus;

  @ApiProperty({ type: 'string', example: 'upscale', description: 'The first of `operations`.' })
  operation: string;

  @ApiProperty({ enum: LEVELS, description: 'Level of the first of `operations`.' })
  level: Level;

  @ApiProperty({
    type: [JobOperationDto],
    description: 'Every operation in order, each with its model and time once the job is completed.',
  })
  operations: JobOperationDto[];

  @ApiPropertyOptional({
    type: 'string',
    example: 'portrait',
    description:
      'The preset that the request named, as it was at that time: `operations` says what the job does. Only when it named one.',
  })
  preset?: string;

  @ApiProperty({ type: 'string', format: 'uri' })
  sourceUrl: string;

  @ApiPropertyOptional({
    type: 'string',
    format: 'uri',
    description: 'Only when completed. Each read returns a newly signed URL.',
  })
  resultUrl?: string;

  @ApiPropertyOptional({ type: JobResultDto, description: 'Only when completed.' })
  result?: JobResultDto;

  @ApiProperty({ type: JobErrorDto, nullable: true })
  error: JobErrorDto | null;

  @ApiProperty({ type: JobOutputDto })
  output: JobOutputDto;

  @ApiProperty({ type: 'number', minimum: 0, maximum: 1 })
  progress: number;

  @ApiProperty({ type: 'integer' })
  attempts: number;

  @ApiProperty({ type: JobModelDto, nullable: true })
  model: JobModelDto | null;

  @ApiPropertyOptional({
    type: 'boolean',
    enum: [true],
    description:
      'Only when the job got the result of an earlier, equal one. It cost no enhancement; `model` and `device` are those that made the result.',
  })
  cached?: true;

  @ApiPropertyOptional({
    type: 'string',
    format: 'uri',
    description: 'Is called when the job has ended. Only when the request named one.',
  })
  callbackUrl?: string;

  @ApiPropertyOptional({
    type: 'string',
    format: 'date-time',
    description: 'When the job is canceled if it has not ended. Only when the request set `cancelAfter`.',
  })
  cancelAt?: string;

  @ApiPropertyOptional({
    enum: ['deliver'],
    description: '`deliver`: the pixels of result and source are erased once the result was sent.',
  })
  retention?: 'deliver';

  @ApiProperty({ type: 'string', nullable: true, example: 'cpu' })
  device: string | null;

  @ApiPropertyOptional({
    type: 'string',
    enum: ['float32', 'float16', 'int8'],
    description:
      'The lowest precision that its networks computed with. Missing before the job has completed, and when an inference server ran all of them.',
  })
  precision?: 'float32' | 'float16' | 'int8';

  @ApiProperty({ type: JobTimingsDto, nullable: true })
  timings: JobTimingsDto | null;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  metadata: Record<string, string>;

  @ApiPropertyOptional({
    type: 'string',
    description: 'The batch that the job belongs to. Only for jobs of a batch.',
    example: 'bat_0193f2c4a1b27c3d8e4f5a6b7c8d9e0f',
  })
  batchId?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    description: 'Position in the `sourceUrls` of the batch, from 0. Only for jobs of a batch.',
  })
  batchIndex?: number;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  startedAt: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  completedAt: string | null;
}

export class JobListDto extends PageDto(JobDto) {}
