import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional, Matches } from 'class-validator';
import { AUDIT_ACTION_NAMES, AUDIT_ACTIONS } from './audit-actions.js';
import { AUDIT_ACTOR_KINDS, type AuditActorKind } from './audit-actor.js';
import { emailOf } from './audit-export.js';
import type { AuditEvent } from './audit-events.repository.js';
import { ListQueryDto } from '../common/lists/list-query.dto.js';
import { PageDto } from '../common/lists/page.dto.js';

export class AuditActorDto {
  @ApiProperty({ enum: AUDIT_ACTOR_KINDS })
  kind: AuditActorKind;

  @ApiProperty({ type: 'string', nullable: true })
  keyId: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Null for events of earlier versions and for events without a signed-in user.',
  })
  userId: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'The email address of the user, if the account knows it from a membership or an invitation.',
  })
  email: string | null;
}

/** One action, as shown to the account's owner. */
export class AuditEventDto {
  @ApiProperty({ type: 'string' })
  id: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt: string;

  @ApiProperty({ type: 'string' })
  action: string;

  @ApiProperty({ type: 'string', description: 'The action in words.' })
  title: string;

  @ApiProperty({ type: AuditActorDto })
  actor: AuditActorDto;

  @ApiProperty({ type: 'string', nullable: true })
  targetId: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'The email address of the member whom the event is about.',
  })
  targetEmail: string | null;

  @ApiProperty({ type: 'string', nullable: true })
  address: string | null;

  @ApiProperty({ type: 'string', nullable: true })
  userAgent: string | null;

  @ApiProperty({ type: 'object', additionalProperties: true })
  details: Readonly<Record<string, unknown>>;
}

export class AuditEventListDto extends PageDto(AuditEventDto) {}

/** The part of an action's name before the dot. */
export const AUDIT_GROUPS = [...new Set(AUDIT_ACTION_NAMES.map((action) => action.split('.')[0]!))];

export class AuditQueryDto extends ListQueryDto {
  /** Only actions of one kind: `key`, `endpoint`, `sign_in`, … */
  @IsOptional()
  @IsIn(AUDIT_GROUPS)
  group?: string;

  @IsOptional()
  @Matches(/^[\w-]{1,40}$/, { message: 'cursor is invalid' })
  declare cursor?: string;
}

/** @param emails those of `auditEvents.memberEmails` */
export function auditEventDto(event: AuditEvent, emails: ReadonlyMap<string, string>): AuditEventDto {
  const { id, action, actorKind, actorId, targetId, address, userAgent, details } = event;
  const userId = actorKind === 'person' ? actorId : null;
  return {
    id,
    createdAt: event.createdAt.toISOString(),
    action,
    title: AUDIT_ACTIONS[action],
    // Customers do not see the names of operators.
    actor: {
      kind: actorKind,
      keyId: actorKind === 'key' ? actorId : null,
      userId,
      email: emailOf(userId, emails),
    },
    targetId,
    targetEmail: emailOf(targetId, emails),
    // Customers do not see the addresses of operators, either.
    address: actorKind === 'operator' ? null : address,
    userAgent: actorKind === 'operator' ? null : userAgent,
    details,
  };
}
