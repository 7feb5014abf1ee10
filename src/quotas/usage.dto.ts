import { ApiProperty } from '@nestjs/swagger';
import { type Plan, PLANS } from '../kernel/plans.js';

export class RequestsPerMinuteDto {
  @ApiProperty({ type: 'integer', description: 'Requests per minute of each key.' })
  limit: number;
}

export class EnhancementsUsageDto {
  @ApiProperty({ type: 'integer', description: 'Enhancements a calendar month (UTC), shared by all keys.' })
  limit: number;

  @ApiProperty({ type: 'integer', description: 'Completed and still running jobs of this month.' })
  used: number;

  @ApiProperty({ type: 'integer' })
  remaining: number;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'When the next month begins.' })
  resetsAt: string;
}

export class StorageUsageDto {
  @ApiProperty({ type: 'integer', format: 'int64' })
  limitBytes: number;

  @ApiProperty({ type: 'integer', format: 'int64', description: 'Bytes of kept sources and results.' })
  usedBytes: number;

  @ApiProperty({ type: 'integer', format: 'int64' })
  remainingBytes: number;
}

export class UsageDto {
  @ApiProperty({ enum: PLANS })
  plan: Plan;

  @ApiProperty({ type: 'string', example: '2026-11', description: 'The month the enhancements count in.' })
  period: string;

  @ApiProperty({ type: RequestsPerMinuteDto })
  requestsPerMinute: RequestsPerMinuteDto;

  @ApiProperty({ type: EnhancementsUsageDto })
  enhancements: EnhancementsUsageDto;

  @ApiProperty({ type: StorageUsageDto })
  storage: StorageUsageDto;
}
