import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { readAuditCursor } from './audit-cursor.js';
import { auditEvents } from './audit-events.repository.js';
import { RequiresPermission } from '../common/access/access.decorator.js';
import { type Page, pageOf } from '../common/lists/pagination.js';
import { CurrentPrincipal } from '../common/access/principal.decorator.js';
import { Database } from '../infra/database/database.js';
import type { Principal } from '../kernel/principal.js';
import { type AuditEventDto, auditEventDto, AuditEventListDto, AuditQueryDto } from './audit.dto.js';

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
    const events = await auditEvents.list(this.database.lists, query);
    const emails = await auditEvents.memberEmails(this.database.lists, accountId, events);
    return pageOf(events, limit, (event) => auditEventDto(event, emails));
  }
}
