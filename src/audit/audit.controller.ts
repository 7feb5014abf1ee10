import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { AUDIT_ACTIONS } from './audit-actions.js';
import { readAuditCursor } from './audit-cursor.js';
import { type AuditEvent, auditEvents } from './audit-events.repository.js';
import { RequiresPermission } from '../common/access/access.decorator.js';
import { type Page, pageOf } from '../common/lists/pagination.js';
import { CurrentPrincipal } from '../common/access/principal.decorator.js';
import { Database } from '../infra/database/database.js';
import type { Principal } from '../kernel/principal.js';
import { type AuditEventDto, AuditEventListDto, AuditQueryDto } from './audit.dto.js';

/** The actions of the account, newest first. */
@Controller('dashboard/api/audit')
export class AuditController {
  constructor(private readonly database: Database) {}

  @RequiresPermission('audit:read')
  @Get()
  @ApiOkResponse({ type: AuditEventListDto })
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() { limit, cursor, group }: AuditQueryDto,
  ): Promise<Page<AuditEventDto>> {
    const before = cursor === undefined ? undefined : readAuditCursor(cursor);
    const query = { accountId, action: group, before, limit: limit + 1 };
    return pageOf(await auditEvents.list(this.database.lists, query), limit, present);
  }
}

function present(event: AuditEvent): AuditEventDto {
  const { id, action, actorKind, actorId, targetId, address, userAgent, details } = event;
  return {
    id,
    createdAt: event.createdAt.toISOString(),
    action,
    title: AUDIT_ACTIONS[action],
    // Customers do not see the names of operators.
    actor: {
      kind: actorKind,
      keyId: actorKind === 'key' ? actorId : null,
      userId: actorKind === 'person' ? actorId : null,
    },
    targetId,
    // Customers do not see the addresses of operators, either.
    address: actorKind === 'operator' ? null : address,
    userAgent: actorKind === 'operator' ? null : userAgent,
    details,
  };
}
