import { ApiProperty } from '@nestjs/swagger';
import type { ModelWorkerState } from './model-worker.entity.js';

export class ServedModelDto {
  @ApiProperty({ type: 'string', example: 'dead-leaves-sr' })
  name: string;

  @ApiProperty({ type: 'integer', example: 1 })
  version: number;

  @ApiProperty({ type: 'string', description: 'SHA-256 over the files of the version, lowercase hex.' })
  sha256: string;
}

export class ServedOperationDto {
  @ApiProperty({ type: 'string', example: 'upscale' })
  operation: string;

  @ApiProperty({ type: ServedModelDto })
  model: ServedModelDto;
}

export class ModelRefusalDto {
  @ApiProperty({ type: 'string', example: 'upscale' })
  operation: string;

  @ApiProperty({ type: 'string', description: "Name of the version's folder.", example: '3' })
  version: string;

  @ApiProperty({ type: 'string', description: 'What is wrong, where, and what to do.' })
  message: string;
}

export class ModelWorkerDto {
  @ApiProperty({ type: 'string', example: 'wrk_1f0c…' })
  id: string;

  @ApiProperty({ type: 'string', description: 'What it runs on.', example: 'cpu' })
  device: string;

  @ApiProperty({ enum: ['serving', 'draining'], description: '`draining`: it takes no new jobs.' })
  state: ModelWorkerState;

  @ApiProperty({
    type: 'array',
    items: {
      type: 'object',
      required: ['operation', 'version'],
      properties: { operation: { type: 'string' }, version: { type: 'integer' } },
    },
    description: 'Every version it has in memory.',
  })
  versions: readonly { readonly operation: string; readonly version: number }[];

  @ApiProperty({ type: 'string', format: 'date-time' })
  startedAt: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  seenAt: string;
}

export class ModelHealthDto {
  @ApiProperty({
    enum: ['ok', 'degraded'],
    description:
      '`degraded`: a version is refused, a version serves although its folder is gone, or no worker serves at the moment.',
  })
  status: 'ok' | 'degraded';

  @ApiProperty({ type: [ServedOperationDto], description: 'What new jobs get.' })
  operations: readonly ServedOperationDto[];

  @ApiProperty({
    type: [ModelRefusalDto],
    description:
      'Versions that are there and do not serve, and versions that serve from memory after their folder was removed.',
  })
  refusals: readonly ModelRefusalDto[];

  @ApiProperty({ type: [ModelWorkerDto], description: 'Live workers.' })
  workers: readonly ModelWorkerDto[];
}
