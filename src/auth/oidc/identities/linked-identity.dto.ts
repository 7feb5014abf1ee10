import { ApiProperty } from '@nestjs/swagger';
import type { LinkedIdentity } from './linked-identities.repository.js';

/** A user of the OpenID provider who signs in to the account. */
export class LinkedIdentityDto {
  @ApiProperty({ type: 'string' })
  id: string;

  @ApiProperty({ type: 'string', description: 'URL of the provider.' })
  issuer: string;

  @ApiProperty({ type: 'string', description: 'How the provider calls the user.' })
  subject: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt: string;
}

export class LinkedIdentityListDto {
  @ApiProperty({ type: [LinkedIdentityDto] })
  data: LinkedIdentityDto[];
}

export function linkedIdentityDto({ id, issuer, subject, createdAt }: LinkedIdentity): LinkedIdentityDto {
  return { id, issuer, subject, createdAt: createdAt.toISOString() };
}
