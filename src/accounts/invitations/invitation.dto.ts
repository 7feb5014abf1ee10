import { ApiProperty } from '@nestjs/swagger';
import { IsDefined, IsIn } from 'class-validator';
import { IsEmailAddress } from '../../auth/passwords/credentials.validator.js';
import { IsPlainText } from '../../common/validation/text.validator.js';
import { Trimmed } from '../../common/validation/trimmed.decorator.js';
import { type Role, ROLES } from '../../kernel/accounts/roles.js';
import { INVITATION_MAIL_STATUSES, type Invitation, type InvitationMailStatus } from './invitation.js';
import type { InvitationLink } from './invitations.service.js';

const MAX_TOKEN = 100;

export class CreateInvitationDto {
  @ApiProperty({ type: 'string' })
  @IsDefined({ message: 'email is required' })
  @IsEmailAddress()
  @Trimmed()
  email: string;

  @ApiProperty({ enum: ROLES })
  @IsIn(ROLES, { message: `role must be one of ${ROLES.join(', ')}` })
  role: Role;
}

/** In the body, because an address would be logged. */
export class InvitationTokenDto {
  @ApiProperty({ type: 'string', description: 'The part of the link after `#`.' })
  @IsDefined({ message: 'token is required' })
  @IsPlainText(MAX_TOKEN)
  token: string;
}

export class InvitationDto {
  @ApiProperty({ type: 'string' })
  id: string;

  @ApiProperty({ type: 'string' })
  email: string;

  @ApiProperty({ enum: ROLES })
  role: Role;

  @ApiProperty({ type: 'string', description: 'Address of the member who invited.' })
  invitedBy: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  expiresAt: string;

  @ApiProperty({ type: 'boolean' })
  isExpired: boolean;

  @ApiProperty({
    enum: INVITATION_MAIL_STATUSES,
    nullable: true,
    description: 'Whether the mail with the link was sent. Null when the service did not mail it.',
  })
  mail: InvitationMailStatus | null;
}

export class InvitationListDto {
  @ApiProperty({ type: [InvitationDto] })
  data: InvitationDto[];
}

export class InvitationLinkDto extends InvitationDto {
  @ApiProperty({ type: 'string', description: 'The link for the invited person. It is shown only once.' })
  url: string;
}

/** What the holder of a link may know before signing in. */
export class InvitationPreviewDto {
  @ApiProperty({
    type: 'string',
    description: "The name of an organization, or the address of a user's account.",
  })
  organization: string;

  @ApiProperty({ type: 'string' })
  invitedBy: string;

  @ApiProperty({ type: 'string', description: 'Address that the user who accepts must have.' })
  email: string;

  @ApiProperty({ enum: ROLES })
  role: Role;

  @ApiProperty({ type: 'string', format: 'date-time' })
  expiresAt: string;
}

export function invitationDto(invitation: Invitation): InvitationDto {
  const { id, email, role, invitedBy, createdAt, expiresAt, isExpired, mailStatus } = invitation;
  return {
    id,
    email,
    role,
    invitedBy,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    isExpired,
    mail: mailStatus,
  };
}

export function invitationLinkDto({ invitation, url }: InvitationLink): InvitationLinkDto {
  return Object.assign(invitationDto(invitation), { url });
}

export function invitationPreviewDto(invitation: Invitation): InvitationPreviewDto {
  const { organization, invitedBy, email, role, expiresAt } = invitation;
  return { organization, invitedBy, email, role, expiresAt: expiresAt.toISOString() };
}
