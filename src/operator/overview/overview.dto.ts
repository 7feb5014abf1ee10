import { ApiProperty } from '@nestjs/swagger';
import type { ModelWorkerState } from '../../models/serving/model-worker.entity.js';

const MS = { type: 'number', nullable: true } as const;

export class RecentLoadDto {
  @ApiProperty({ type: 'number', description: 'Jobs per minute, the mean of the last five minutes.' })
  perMinute: number;

  @ApiProperty({ type: 'integer', description: 'Jobs that ended in the last five minutes.' })
  ended: number;

  @ApiProperty({ type: 'integer', description: 'Failed ones of these jobs. Canceled jobs are not counted.' })
  failed: number;

  @ApiProperty({ ...MS, description: 'Median time from the request to the result, milliseconds.' })
  p50Ms: number | null;

  @ApiProperty({ ...MS, description: 'The 99th percentile of that time.' })
  p99Ms: number | null;
}

export class OperationLoadDto {
  @ApiProperty({ type: 'string', example: 'upscale' })
  operation: string;

  @ApiProperty({ type: 'integer', description: 'Waiting jobs.' })
  queued: number;

  @ApiProperty({ type: 'number', description: 'Wait of the oldest one; 0 if no jobs are waiting.' })
  oldestWaitSeconds: number;

  @ApiProperty({ type: 'integer', description: 'Jobs that ended in the last five minutes.' })
  ended: number;

  @ApiProperty({ type: 'integer' })
  failed: number;

  @ApiProperty(MS)
  p50Ms: number | null;

  @ApiProperty(MS)
  p99Ms: number | null;
}

export class GpuFiguresDto {
  @ApiProperty({ type: 'string', description: 'Index of the GPU on its machine.' })
  gpu: string;

  @ApiProperty({ type: 'string', example: 'NVIDIA H200' })
  name: string;

  @ApiProperty({ type: 'number', nullable: true })
  memoryUsedBytes: number | null;

  @ApiProperty({ type: 'number', nullable: true })
  memoryTotalBytes: number | null;

  @ApiProperty({ type: 'number', nullable: true, description: '0–1.' })
  utilization: number | null;
}

export class WorkerFiguresDto {
  @ApiProperty({ type: 'string' })
  id: string;

  @ApiProperty({ type: 'string' })
  host: string;

  @ApiProperty({ type: 'string', example: 'cpu' })
  device: string;

  @ApiProperty({ enum: ['serving', 'draining'] })
  state: ModelWorkerState;

  @ApiProperty({ type: [String], example: ['upscale@2'] })
  operations: readonly string[];

  @ApiProperty({
    type: 'number',
    nullable: true,
    description: 'Resident memory of the process; null until its first heartbeat.',
  })
  memoryBytes: number | null;

  @ApiProperty({ type: [GpuFiguresDto], description: 'GPUs of the machine.' })
  gpus: readonly GpuFiguresDto[];

  @ApiProperty({ type: 'string', format: 'date-time' })
  startedAt: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  seenAt: string;
}

export class DiskFiguresDto {
  @ApiProperty({ type: 'number', nullable: true, description: 'Free space for objects.' })
  freeBytes: number | null;
}

export class DatabaseFiguresDto {
  @ApiProperty({ type: 'number' })
  sizeBytes: number;

  @ApiProperty({ type: 'integer' })
  connections: number;

  @ApiProperty({ type: 'integer' })
  maxConnections: number;

  @ApiProperty({ type: 'string', example: '16.4' })
  version: string;
}

export class WebhookBacklogDto {
  @ApiProperty({ type: 'integer', description: 'Events whose deliveries have not been created yet.' })
  events: number;

  @ApiProperty({ type: 'integer', description: 'Deliveries that will be attempted now or later.' })
  pending: number;

  @ApiProperty({ type: 'integer', description: 'Deliveries that are due now.' })
  due: number;

  @ApiProperty({ type: 'number' })
  oldestDueSeconds: number;
}

export class OverviewDto {
  @ApiProperty({ type: 'string', format: 'date-time' })
  at: string;

  @ApiProperty({ type: RecentLoadDto })
  jobs: RecentLoadDto;

  @ApiProperty({
    type: [OperationLoadDto],
    description: 'Operations with jobs that are waiting or ended in the last five minutes.',
  })
  operations: readonly OperationLoadDto[];

  @ApiProperty({ type: [WorkerFiguresDto], description: 'Workers with a recent heartbeat.' })
  workers: readonly WorkerFiguresDto[];

  @ApiProperty({ type: DiskFiguresDto })
  disk: DiskFiguresDto;

  @ApiProperty({ type: DatabaseFiguresDto })
  database: DatabaseFiguresDto;

  @ApiProperty({ type: WebhookBacklogDto })
  webhooks: WebhookBacklogDto;
}
