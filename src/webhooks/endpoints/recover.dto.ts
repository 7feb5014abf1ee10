import { ApiProperty } from '@nestjs/swagger';
import { IsDefined } from 'class-validator';
import { IsInstant } from '../../common/validation/instant.validator.js';

export class RecoverDto {
  @ApiProperty({
    type: 'string',
    format: 'date-time',
    description: 'Sends again what happened from then on.',
  })
  @IsDefined({ message: 'since is required' })
  @IsInstant()
  since: string;
}

export class RecoveredDto {
  @ApiProperty({ type: 'integer', description: 'Deliveries that are due again, or for the first time.' })
  deliveries: number;
}
