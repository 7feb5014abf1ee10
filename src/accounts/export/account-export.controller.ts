import { Body, Controller, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { Session } from '../../auth/sessions/session.js';
import { CurrentSession } from '../../auth/sessions/session.decorator.js';
import { PasswordConfirmationDto } from '../../auth/two-factor/two-factor.dto.js';
import { RequiresPermission } from '../../common/access/access.decorator.js';
import type { FastifyReply, FastifyRequest } from '../../common/requests/request-context.js';
import { EXPORT_SCHEMA, ExportLinkDto, ExportLinkQueryDto } from './account-export.dto.js';
import { AccountExports } from './account-exports.js';

/** What is stored about the account, as a file for its owner. */
@Controller('dashboard/api/account/export')
export class AccountExportController {
  constructor(private readonly exports: AccountExports) {}

  @RequiresPermission('account:export')
  @Post()
  @HttpCode(200)
  @ApiOkResponse({ type: ExportLinkDto })
  async link(
    @CurrentSession() session: Session,
    @Body() { password }: PasswordConfirmationDto,
  ): Promise<ExportLinkDto> {
    return { path: await this.exports.link(session, password) };
  }

  @RequiresPermission('account:export')
  @Get()
  @ApiOkResponse({
    content: { 'application/json': { schema: EXPORT_SCHEMA } },
  })
  async download(
    @CurrentSession() session: Session,
    @Query() link: ExportLinkQueryDto,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    this.exports.requireLink(session, link);
    // Refused before it is a download.
    const data = request.method === 'HEAD' ? '' : await this.exports.start(session);
    reply.headers({
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Disposition': `attachment; filename="account-data-${new Date().toISOString().slice(0, 10)}.json"`,
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
    });
    void reply.send(data);
  }
}
