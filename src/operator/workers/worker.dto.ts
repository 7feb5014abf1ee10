import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { WANTED, type Wanted } from '../../models/serving/wanted.js';
import { GpuFiguresDto } from '../overview/overview.dto.js';
import { SettingDto } from '../settings/settings.dto.js';

/**
 * `serving`: takes jobs. `draining`: finishes its jobs and takes no others. `drained`: has no jobs left, and waits.
 * `gone`: no heartbeat for 45 seconds.
 */
export const WORKER_STATES = ['serving', 'draining', 'drained', 'gone'] as const;
export type WorkerState = (typeof WORKER_STATES)[number];

const NUMBER_OR_NULL = { type: 'integer', nullable: true } as const;
const TEXT_OR_NULL = { type: 'string', nullable: true } as const;

export class WorkerOperationDto {
  @ApiProperty({ type: 'string', example: 'upscale' })
  operation: string;

  @ApiProperty({ type: 'integer', example: 2 })
  version: number;

  @ApiProperty({ type: 'string', description: 'Name of the model.' })
  model: string;
}

export class RefusedVersionDto {
  @ApiProperty({ type: 'string' })
  operation: string;

  @ApiProperty({ type: 'string', description: 'Name of the folder of the version.' })
  version: string;

  @ApiProperty({ type: 'string', description: 'Why it is refused, and what to do.' })
  message: string;
}

/** One worker process. */
export class WorkerDto {
  @ApiProperty({ type: 'string' })
  id: string;

  @ApiProperty({ type: 'string' })
  host: string;

  @ApiProperty({ type: 'integer' })
  pid: number;

  @ApiProperty({
    enum: WORKER_STATES,
    description:
      '`draining`: finishes its jobs and takes no others. `drained`: has no jobs left. `gone`: no recent heartbeat.',
  })
  state: WorkerState;

  @ApiProperty({ enum: WANTED, description: 'What an operator asked for.' })
  wanted: Wanted;

  @ApiProperty({ ...TEXT_OR_NULL, format: 'date-time' })
  wantedAt: string | null;

  @ApiProperty({ type: 'string', example: 'cuda:0' })
  device: string;

  @ApiProperty({ ...TEXT_OR_NULL, example: 'float32' })
  precision: string | null;

  @ApiProperty({ ...TEXT_OR_NULL, description: 'Version of the service.' })
  version: string | null;

  @ApiProperty({
    type: 'boolean',
    nullable: true,
    description: 'Whether `npm start` starts it again when it ends. Kubernetes and others do so as well.',
  })
  supervised: boolean | null;

  @ApiProperty({ type: [WorkerOperationDto], description: 'What new jobs get.' })
  operations: readonly WorkerOperationDto[];

  @ApiProperty({
    type: [String],
    example: ['upscale/1'],
    description: 'Earlier versions that it has loaded for jobs assigned to them.',
  })
  earlierVersions: readonly string[];

  @ApiProperty({ type: [RefusedVersionDto], description: 'Versions that it refuses.' })
  refusals: readonly RefusedVersionDto[];

  @ApiProperty({ ...NUMBER_OR_NULL, description: 'Jobs that it runs, as of its last heartbeat.' })
  jobs: number | null;

  @ApiProperty({ ...NUMBER_OR_NULL, description: 'Jobs that it can run at the same time.' })
  concurrency: number | null;

  @ApiProperty({ ...NUMBER_OR_NULL, description: 'Resident memory of the process.' })
  memoryBytes: number | null;

  @ApiProperty({ type: [GpuFiguresDto], description: 'GPUs of the machine.' })
  gpus: readonly GpuFiguresDto[];

  @ApiProperty({ type: [SettingDto], description: 'Settings that are not the default.' })
  settings: readonly SettingDto[];

  @ApiProperty({ type: 'string', format: 'date-time' })
  startedAt: string;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'The last heartbeat.' })
  seenAt: string;
}

export class WorkerListDto {
  @ApiProperty({
    type: [WorkerDto],
    description: 'The workers with a recent heartbeat, then those that went within the last hour.',
  })
  data: readonly WorkerDto[];
}

/** Most lines of one response: what a worker keeps. */
const MAX_LINES = 500;
const LINES_FAULT = { message: `lines must be a whole number from 1 to ${MAX_LINES}` };

export class WorkerLogQueryDto {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_LINES, default: 200 })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : value,
  )
  @IsInt(LINES_FAULT)
  @Min(1, LINES_FAULT)
  @Max(MAX_LINES, LINES_FAULT)
  lines: number = 200;
}

export class WorkerLogDto {
  @ApiProperty({ type: [String], description: 'The last lines, oldest first. Each is one JSON object.' })
  lines: readonly string[];

  @ApiProperty({
    ...TEXT_OR_NULL,
    format: 'date-time',
    description: 'When the worker sent them; null: never.',
  })
  sentAt: string | null;

  @ApiProperty({
    type: 'boolean',
    description: 'Whether it sent them for this request. False: it did not respond.',
  })
  current: boolean;
}
