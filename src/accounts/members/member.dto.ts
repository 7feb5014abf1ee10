import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
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

  @ApiProperty({ type: 'string', description: 'Address of its primary owner.' })
  email: string;

  @ApiProperty({ enum: ROLES })
  role: Role;

  @ApiProperty({ type: 'boolean' })
  isCurrent: boolean;
}

export class OrganizationListDto {
  @ApiProperty({ type: [OrganizationDto] })
  data: OrganizationDto[];
}

export function memberDto({ userId, email, role, isPrimaryOwner, joinedAt }: Member): MemberDto {
  return { userId, email, role, isPrimaryOwner, joinedAt: joinedAt.toISOString() };
}
