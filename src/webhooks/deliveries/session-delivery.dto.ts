import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { DeliveryDto } from './delivery.dto.js';
import { PageDto } from '../../common/lists/page.dto.js';

/** The body, the same for every attempt. Signatures are created for each attempt and not stored. */
export class DeliveryRequestDto {
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  headers: Readonly<Record<string, string>>;

  @ApiProperty({ type: 'string' })
  body: string;
}

/** A delivery in the dashboard. */
export class SessionDeliveryDto extends DeliveryDto {
  @ApiPropertyOptional({
    type: DeliveryRequestDto,
    description: 'Absent once the event has been deleted with age.',
  })
  request?: DeliveryRequestDto;

  @ApiProperty({
    type: 'integer',
    description: 'Attempts in all if none succeeds: those already made and those left in the schedule.',
  })
  maxAttempts: number;
}

export class SessionDeliveryListDto extends PageDto(SessionDeliveryDto) {}
