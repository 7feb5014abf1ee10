import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { DeliveryDto } from './delivery.dto.js';

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
}
