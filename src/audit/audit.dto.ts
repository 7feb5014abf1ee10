import { IsIn, IsOptional, Matches } from 'class-validator';
import { AUDIT_ACTION_NAMES } from './audit-actions.js';
import type { AuditActorKind } from './audit-actor.js';
import { ListQueryDto } from '../common/lists/list-query.dto.js';

/** One thing that was done, as the owner of the account sees it. */
export interface AuditEventDto {
  readonly id: string;
  readonly createdAt: string;
  readonly action: string;
  /** The action in words. */
  readonly title: string;
  readonly actor: { readonly kind: AuditActorKind; readonly keyId: string | null };
  readonly targetId: string | null;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The part of an action's name before the dot. */
export const AUDIT_GROUPS = [...new Set(AUDIT_ACTION_NAMES.map((action) => action.split('.')[0]!))];

export class AuditQueryDto extends ListQueryDto {
  /** Only actions of one kind: `key`, `endpoint`, `sign_in` … */
  @IsOptional()
  @IsIn(AUDIT_GROUPS)
  group?: string;

  @IsOptional()
  @Matches(/^[\w-]{1,40}$/, { message: 'cursor is invalid' })
  declare cursor?: string;
}
