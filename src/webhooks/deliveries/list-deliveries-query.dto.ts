import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, Matches } from 'class-validator';
import { ListQueryDto } from '../../common/lists/list-query.dto.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from './delivery.entity.js';
import { ANY_EVENT_TYPES, type AnyEventType } from '../events/event-types.js';

export class ListDeliveriesQueryDto extends ListQueryDto {
  @ApiPropertyOptional({
    type: 'string',
    pattern: '^we_[0-9a-f]{32}$',
    description: 'Only deliveries to this endpoint.',
  })
  @IsOptional()
  @Matches(/^we_[0-9a-f]{32}$/, { message: 'endpointId must be the id of a webhook endpoint' })
  endpointId?: string;

  @ApiPropertyOptional({ enum: ANY_EVENT_TYPES, description: 'Only deliveries of events of this type.' })
  @IsOptional()
  @IsIn(ANY_EVENT_TYPES)
  eventType?: AnyEventType;

  @ApiPropertyOptional({ enum: DELIVERY_STATUSES, description: 'Only deliveries in this state.' })
  @IsOptional()
  @IsIn(DELIVERY_STATUSES)
  status?: DeliveryStatus;
}
