import { Readable } from 'node:stream';
import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { auditEvents } from '../../audit/audit-events.repository.js';
import { readAuditCursor } from '../../audit/audit-cursor.js';
import { auditExport, withEmails } from '../../audit/audit-export.js';
import { auditLog } from '../../audit/audit-log.js';
import { OperatorOnly } from '../../common/access/access.decorator.js';
import { type Page, pageOf } from '../../common/lists/pagination.js';
import type { FastifyReply, FastifyRequest } from '../../common/requests/request-context.js';
import { Database } from '../../infra/database/database.js';
import { auditQueryOf } from './audit-filter.js';
import {
  type OperatorAuditEventDto,
  OperatorAuditExportQueryDto,
  OperatorAuditListDto,
  OperatorAuditQueryDto,
} from './operator-audit.dto.js';

const CONTENT_TYPES = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' } as const;

const TEXT = { schema: { type: 'string' } } as const;

/** The audit log of all accounts, newest event first. */
@Controller('operator/api/audit')
@OperatorOnly()
export class OperatorAuditController {
  constructor(private readonly database: Database) {}

  @Get()
  @ApiOkResponse({ type: OperatorAuditListDto })
  async list(
    @Query() { limit, cursor, ...filter }: OperatorAuditQueryDto,
  ): Promise<Page<OperatorAuditEventDto>> {
    const before = cursor === undefined ? undefined : readAuditCursor(cursor);
    const { lists } = this.database;
    const query = await auditQueryOf(lists, filter);
    const events = await auditEvents.list(lists, { ...query, before, limit: limit + 1 });
    const emails = await auditEvents.emails(lists, events);
    return pageOf(events, limit, (event) => withEmails(event, emails));
  }

  /** Streams every event that matches. Breaks off the connection when the database fails, so no half file looks whole. */
  @Get('export')
  @ApiOkResponse({ content: { 'text/csv': TEXT, 'application/x-ndjson': TEXT } })
  async export(
    @Query() { format, ...filter }: OperatorAuditExportQueryDto,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { lists } = this.database;
    const query = await auditQueryOf(lists, filter);
    const name = `audit-${new Date().toISOString().slice(0, 10)}.${format}`;
    reply.headers({
      'Content-Type': CONTENT_TYPES[format],
      'Content-Disposition': `attachment; filename="${name}"`,
      'X-Content-Type-Options': 'nosniff',
    });
    if (request.method === 'HEAD') return void reply.send('');
    await auditLog.record(this.database, {
      action: 'audit.exported',
      accountId: null,
      details: { format, ...query },
    });
    void reply.send(Readable.from(auditExport(lists, query, format), { objectMode: false }));
  }
}
