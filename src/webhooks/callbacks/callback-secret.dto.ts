import { ApiProperty } from '@nestjs/swagger';

export class CallbackSecretDto {
  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'When the account got its first callback secret; null before that.',
  })
  createdAt: string | null;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'Until when a replaced secret signs beside the one in force.',
  })
  previousSecretExpiresAt: string | null;
}

export class NewCallbackSecretDto extends CallbackSecretDto {
  @ApiProperty({
    type: 'string',
    description: 'Signs every callback of the account. Shown only here.',
    example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  })
  secret: string;
}
