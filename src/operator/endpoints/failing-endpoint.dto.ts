import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { ListQueryDto } from '../../common/lists/list-query.dto.js';
import { DISABLED_REASONS, type DisabledReason } from '../../webhooks/endpoints/endpoint.entity.js';
import { MAX_PENDING } from './failing-endpoints.repository.js';
import { PageDto } from '../../common/lists/page.dto.js';

export const ENDPOINT_STATES = ['enabled', 'disabled'] as const;

export class FailingEndpointsQueryDto extends ListQueryDto {
  @ApiPropertyOptional({ enum: ENDPOINT_STATES })
  @IsOptional()
  @IsIn(ENDPOINT_STATES)
  state?: (typeof ENDPOINT_STATES)[number];
}

export class LastErrorDto {
  @ApiProperty({ type: 'string', format: 'date-time' })
  at: string;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'HTTP status of the response; null without one.',
  })
  responseStatus: number | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'Why there was no response.' })
  error: string | null;
}

export class FailingEndpointDto {
  @ApiProperty({ type: 'string' })
  id: string;

  @ApiProperty({ type: 'string', description: 'The account that owns it, also for one of test mode.' })
  accountId: string;

  @ApiProperty({ type: 'string', description: "Address of a user's account; the id of an organization." })
  email: string;

  @ApiProperty({
    type: 'string',
    description: "The name of an organization, or the address of a user's account.",
  })
  accountName: string;

  @ApiProperty({ type: 'string', description: 'Scheme and host. The rest of the URL may hold a secret.' })
  origin: string;

  @ApiProperty({ type: 'boolean' })
  enabled: boolean;

  @ApiProperty({ enum: DISABLED_REASONS, nullable: true })
  disabledReason: DisabledReason | null;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    description: 'The first failure since the last success.',
  })
  failingSince: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  lastFailureAt: string | null;

  @ApiProperty({
    type: 'integer',
    maximum: MAX_PENDING,
    description: 'Deliveries that will be attempted again.',
  })
  pending: number;

  @ApiProperty({ type: LastErrorDto, nullable: true, description: 'Null when it is no longer known.' })
  lastError: LastErrorDto | null;
}

export class FailingEndpointListDto extends PageDto(FailingEndpointDto) {}

export class SwitchedEndpointDto {
  @ApiProperty({ type: 'string' })
  id: string;

  @ApiProperty({ type: 'boolean' })
  enabled: boolean;
}
