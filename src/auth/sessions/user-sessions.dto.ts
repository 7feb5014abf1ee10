import { ApiProperty } from '@nestjs/swagger';

export class SignedInDeviceDto {
  @ApiProperty({ type: 'string' })
  id: string;

  @ApiProperty({ type: 'boolean' })
  isCurrent: boolean;

  @ApiProperty({ type: 'string', nullable: true, description: 'Of the client, when it was last seen.' })
  address: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'Of the browser that signed in.' })
  userAgent: string | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt: string;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'To the minute.' })
  lastSeenAt: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  expiresAt: string;
}

export class SignedInDeviceListDto {
  @ApiProperty({ type: [SignedInDeviceDto] })
  data: SignedInDeviceDto[];
}
