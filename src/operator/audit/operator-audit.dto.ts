import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, Matches, MinLength } from 'class-validator';
import { AUDIT_ACTION_NAMES } from '../../audit/audit-actions.js';
import { AUDIT_ACTOR_KINDS, type AuditActorKind } from '../../audit/audit-actor.js';
import { AUDIT_EXPORT_FORMATS, type AuditExportFormat } from '../../audit/audit-export.js';
import { AUDIT_GROUPS } from '../../audit/audit.dto.js';
import { ListQueryDto } from '../../common/lists/list-query.dto.js';
import { IsInstant } from '../../common/validation/instant.validator.js';
import { IsPlainText } from '../../common/validation/text.validator.js';
import { PageDto } from '../../common/lists/page.dto.js';

const MAX_ACCOUNT_LENGTH = 254;

const ACTIONS = [...AUDIT_GROUPS, ...AUDIT_ACTION_NAMES];

/** The filters of the audit log of all accounts: of its list and of its file. */
const FILTERS = {
  account: applyDecorators(
    ApiPropertyOptional({
      type: 'string',
      description: 'Only events of this account: its id or email address.',
    }),
    IsOptional(),
    MinLength(1),
    IsPlainText(MAX_ACCOUNT_LENGTH),
  ),
  action: applyDecorators(
    ApiPropertyOptional({
      type: 'string',
      description: 'Only this action, such as `key.created`, or all actions of a group, such as `key`.',
    }),
    IsOptional(),
    IsIn(ACTIONS, { message: 'action must be an action such as key.created, or a group such as key' }),
  ),
  since: instant('Only events at or after this time.'),
  until: instant('Only events before this time.'),
} as const;

function instant(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: 'string', format: 'date-time', description }),
    IsOptional(),
    IsInstant(),
  );
}

export class OperatorAuditQueryDto extends ListQueryDto {
  @FILTERS.account
  account?: string;

  @FILTERS.action
  action?: string;

  @FILTERS.since
  since?: string;

  @FILTERS.until
  until?: string;

  @IsOptional()
  @Matches(/^[\w-]{1,40}$/, { message: 'cursor is invalid' })
  declare cursor?: string;
}

export class OperatorAuditExportQueryDto {
  @ApiPropertyOptional({ enum: AUDIT_EXPORT_FORMATS, default: 'csv' })
  @IsOptional()
  @IsIn(AUDIT_EXPORT_FORMATS)
  format: AuditExportFormat = 'csv';

  @FILTERS.account
  account?: string;

  @FILTERS.action
  action?: string;

  @FILTERS.since
  since?: string;

  @FILTERS.until
  until?: string;
}

const TEXT_OR_NULL = { type: 'string', nullable: true } as const;

/** One event of the audit log, with the email addresses of its account and actor. */
export class OperatorAuditEventDto {
  @ApiProperty({ type: 'string' })
  id: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt: string;

  @ApiProperty({ ...TEXT_OR_NULL, description: 'Null for events of the installation.' })
  accountId: string | null;

  @ApiProperty({ ...TEXT_OR_NULL, description: 'Null also for deleted accounts.' })
  accountEmail: string | null;

  @ApiProperty({ type: 'string', example: 'key.created' })
  action: string;

  @ApiProperty({ type: 'string', description: 'The action in words.' })
  title: string;

  @ApiProperty({
    enum: AUDIT_ACTOR_KINDS,
    description:
      '`person`: in the dashboard. `operator`: in the console or by `npm run admin`. `system`: the service itself.',
  })
  actorKind: AuditActorKind;

  @ApiProperty({
    ...TEXT_OR_NULL,
    description: 'The user, the API key, or the login name that ran `npm run admin`.',
  })
  actorId: string | null;

  @ApiProperty({ ...TEXT_OR_NULL, description: 'Email address of the user.' })
  actorEmail: string | null;

  @ApiProperty({ ...TEXT_OR_NULL, description: 'The changed object, such as the id of a key.' })
  targetId: string | null;

  @ApiProperty({ ...TEXT_OR_NULL, description: 'The current address of the user whom the event is about.' })
  targetEmail: string | null;

  @ApiProperty(TEXT_OR_NULL)
  address: string | null;

  @ApiProperty(TEXT_OR_NULL)
  userAgent: string | null;

  @ApiProperty({ type: 'object', additionalProperties: true })
  details: Readonly<Record<string, unknown>>;
}

export class OperatorAuditListDto extends PageDto(OperatorAuditEventDto) {}
