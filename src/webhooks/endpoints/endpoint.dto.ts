import { ApiProperty } from '@nestjs/swagger';
import { DISABLED_REASONS, type DisabledReason } from './endpoint.entity.js';
import { ANY_EVENT_TYPES, EVERY_EVENT, type EventChoice } from '../events/event-types.js';
import { PageDto } from '../../common/lists/page.dto.js';

export class EndpointDto {
  @ApiProperty({ type: 'string', example: 'we_0193f2c4a1b27c3d8e4f5a6b7c8d9e0f' })
  id: string;

  @ApiProperty({ type: 'string', format: 'uri' })
  url: string;

  @ApiProperty({ type: [String], enum: [EVERY_EVENT, ...ANY_EVENT_TYPES], isArray: true })
  events: EventChoice[];

  @ApiProperty({ type: 'string', nullable: true })
  description: string | null;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  metadata: Record<string, string>;

  @ApiProperty({ type: 'boolean' })
  enabled: boolean;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: `Null while it is enabled. One of ${DISABLED_REASONS.map((reason) => `\`${reason}\``).join(', ')}: you disabled it; it responded with 410; every delivery failed for days.`,
  })
  disabledReason: DisabledReason | null;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'The first failure since the last success.',
  })
  failingSince: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  lastFailureAt: string | null;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'Until when a replaced secret signs beside the one in force.',
  })
  previousSecretExpiresAt: string | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  updatedAt: string;
}

export class EndpointWithSecretDto extends EndpointDto {
  @ApiProperty({
    type: 'string',
    description: 'Signs every delivery. Shown only here.',
    example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  })
  secret: string;
}

export class EndpointListDto extends PageDto(EndpointDto) {}
