import { ApiProperty } from '@nestjs/swagger';
import { IsDefined, IsIn, IsNotEmpty, Matches } from 'class-validator';
import { IsPlainText } from '../../common/validation/text.validator.js';
import { Trimmed } from '../../common/validation/trimmed.decorator.js';
import { type Role, ROLES } from '../../kernel/accounts/roles.js';
import type { Member } from './members.repository.js';

export class MemberDto {
  @ApiProperty({ type: 'string' })
  userId: string;

  @ApiProperty({ type: 'string' })
  email: string;

  @ApiProperty({ enum: ROLES })
  role: Role;

  @ApiProperty({ type: 'boolean', description: 'Always an owner, and cannot be removed.' })
  isPrimaryOwner: boolean;

  @ApiProperty({ type: 'string', format: 'date-time' })
  joinedAt: string;
}

export class MemberListDto {
  @ApiProperty({ type: [MemberDto] })
  data: MemberDto[];
}

export class UpdateMemberDto {
  @ApiProperty({ enum: ROLES })
  @IsIn(ROLES, { message: `role must be one of ${ROLES.join(', ')}` })
  role: Role;
}

export class OrganizationDto {
  @ApiProperty({ type: 'string' })
  id: string;

  @ApiProperty({
    type: 'string',
    description: "The name of an organization, or the address of a user's account.",
  })
  name: string;

  @ApiProperty({ enum: ROLES })
  role: Role;

  @ApiProperty({ type: 'boolean' })
  isCurrent: boolean;

  @ApiProperty({ type: 'boolean', description: 'Nobody can open a suspended organization.' })
  isSuspended: boolean;
}

/** Characters of the name of an organization. */
const MAX_NAME = 80;
/**
 * A name appears in emails to strangers: line breaks would make text of it, email programs links of addresses, and
 * direction marks another name. It has something to see; the joiners of Persian, Indic scripts and emoji stay.
 */
const ONE_VISIBLE_LINE =
  /^(?!.*(?::\/\/|\bwww\.))(?=$|.*[\p{L}\p{N}\p{P}\p{S}])(?:[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|[\u200C\u200D])*$/iu;

export class CreateOrganizationDto {
  @ApiProperty({ type: 'string', maxLength: MAX_NAME })
  @IsDefined({ message: 'name is required' })
  @IsPlainText(MAX_NAME)
  @Matches(ONE_VISIBLE_LINE, { message: 'name must be one line without links or invisible characters' })
  @IsNotEmpty({ message: 'name must not be empty' })
  @Trimmed()
  name: string;
}

export class OrganizationListDto {
  @ApiProperty({ type: [OrganizationDto] })
  data: OrganizationDto[];
}

export function memberDto({ userId, email, role, isPrimaryOwner, joinedAt }: Member): MemberDto {
  return { userId, email, role, isPrimaryOwner, joinedAt: joinedAt.toISOString() };
}
