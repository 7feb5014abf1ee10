import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';
import { IsOmittable } from '../../common/validation/omittable.decorator.js';

const MAX_DAYS = 92;
const message = `days must be a whole number from 1 to ${MAX_DAYS}`;

export class UsageHistoryQueryDto {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_DAYS, default: 30 })
  @IsOmittable()
  @Type(() => Number)
  @IsInt({ message })
  @Min(1, { message })
  @Max(MAX_DAYS, { message })
  days: number = 30;
}

/** The usage of one key. */
export class KeyHistoryDto {
  @ApiProperty({ type: 'string', nullable: true, description: 'Null for the dashboard itself.' })
  id: string | null;

  @ApiProperty({ type: 'string', description: 'The end of the id for those who may not list keys.' })
  name: string;

  @ApiProperty({ type: 'integer', isArray: true })
  enhancements: readonly number[];
}

/** Series for charts; each array has as many elements as `days`. */
export class UsageHistoryDto {
  @ApiProperty({ type: 'string', isArray: true, description: 'UTC, `YYYY-MM-DD`, today last.' })
  days: readonly string[];

  @ApiProperty({
    type: 'integer',
    isArray: true,
    description: 'What each day cost; failed and canceled jobs cost nothing.',
  })
  enhancements: readonly number[];

  @ApiProperty({ type: 'integer', isArray: true, description: 'Bytes kept at the end of each day.' })
  storageBytes: readonly number[];

  @ApiProperty({ type: [KeyHistoryDto], description: 'Keys that created any jobs, the busiest first.' })
  keys: readonly KeyHistoryDto[];
}

/** Requests of one key in the last minute. */
export class KeyRateDto {
  @ApiProperty({ type: 'string' })
  keyId: string;

  @ApiProperty({ type: 'string', description: 'The end of the id for those who may not list keys.' })
  name: string;

  @ApiProperty({ type: 'integer', description: 'Requests per minute.' })
  limit: number;

  @ApiProperty({ type: 'integer' })
  used: number;

  @ApiProperty({ type: 'integer' })
  remaining: number;

  @ApiProperty({
    type: 'integer',
    description: 'Unix seconds at which all are free again if nothing else is sent.',
  })
  resetAt: number;
}

export class KeyRateListDto {
  @ApiProperty({ type: [KeyRateDto] })
  data: readonly KeyRateDto[];
}
