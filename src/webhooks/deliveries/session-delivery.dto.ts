import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { DeliveryDto } from './delivery.dto.js';

/** What is sent: the same body at every attempt. Signatures are made anew each time and are not kept. */
export class DeliveryRequestDto {
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  headers: Readonly<Record<string, string>>;

  @ApiProperty({ type: 'string' })
  body: string;
}

/** One delivery as the dashboard shows it. */
export class SessionDeliveryDto extends DeliveryDto {
  @ApiPropertyOptional({
    type: DeliveryRequestDto,
    description: 'Absent once the event has been deleted with age.',
  })
  request?: DeliveryRequestDto;
}
