import { ApiProperty } from '@nestjs/swagger';
import { DELIVERY_STATUSES, type DeliveryStatus } from './delivery.entity.js';
import { ANY_EVENT_TYPES, type AnyEventType } from '../events/event-types.js';
import { PageDto } from '../../common/lists/page.dto.js';

export class AttemptDto {
  @ApiProperty({ type: 'integer', minimum: 1 })
  number: number;

  @ApiProperty({ type: 'string', format: 'date-time' })
  startedAt: string;

  @ApiProperty({ type: 'integer' })
  durationMs: number;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Null when there was no response.' })
  responseStatus: number | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The first 4 kB of it.' })
  responseBody: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Why there was no response, or only part of one.',
  })
  error: string | null;
}

export class DeliveryDto {
  @ApiProperty({ type: 'string', example: 'dlv_0193f2c4a1b27c3d8e4f5a6b7c8d9e0f' })
  id: string;

  @ApiProperty({ type: 'string', example: 'evt_0193f2c4a1b27c3d8e4f5a6b7c8d9e0f' })
  eventId: string;

  @ApiProperty({ enum: ANY_EVENT_TYPES })
  eventType: AnyEventType;

  @ApiProperty({ type: 'string', example: 'we_0193f2c4a1b27c3d8e4f5a6b7c8d9e0f' })
  endpointId: string;

  @ApiProperty({
    type: 'string',
    format: 'uri',
    description: 'Where the latest attempt went, or the next goes.',
  })
  url: string;

  @ApiProperty({ enum: DELIVERY_STATUSES })
  status: DeliveryStatus;

  @ApiProperty({ type: 'integer' })
  attemptCount: number;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'Null unless pending.' })
  nextAttemptAt: string | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  deliveredAt: string | null;

  @ApiProperty({ type: [AttemptDto], description: 'Oldest first.' })
  attempts: AttemptDto[];
}

export class DeliveryListDto extends PageDto(DeliveryDto) {}
