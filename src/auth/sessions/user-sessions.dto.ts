import { ApiProperty } from '@nestjs/swagger';

export class SignedInDeviceDto {
  @ApiProperty({ type: 'string' })
  id: string;

  @ApiProperty({ type: 'boolean' })
  isCurrent: boolean;

  @ApiProperty({ type: 'string', nullable: true, description: 'IP address of the client at its last use.' })
  address: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'User-Agent of the browser that signed in.' })
  userAgent: string | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt: string;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'Time of the last use, to the minute.' })
  lastSeenAt: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  expiresAt: string;
}

export class SignedInDeviceListDto {
  @ApiProperty({ type: [SignedInDeviceDto] })
  data: SignedInDeviceDto[];
}
