import { Body, Controller, Get, Patch, Req } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { SignedIn } from '../../common/access/access.decorator.js';
import type { FastifyRequest } from '../../common/requests/request-context.js';
import { Database } from '../../infra/database/database.js';
import { languageOf } from '../../mail/language.js';
import { notificationSettingsRepository } from '../../mail/notices/notification-settings.repository.js';
import type { Session } from '../sessions/session.js';
import { CurrentSession } from '../sessions/session.decorator.js';
import { ChangeNotificationSettingsDto, NotificationSettingsDto } from './notifications.dto.js';

/** Which emails the user gets, in any organization. */
@Controller('dashboard/api/notifications')
@SignedIn('required')
export class NotificationsController {
  constructor(private readonly database: Database) {}

  @Get()
  @ApiOkResponse({ type: NotificationSettingsDto })
  async read(
    @CurrentSession() { user }: Session,
    @Req() request: FastifyRequest,
  ): Promise<NotificationSettingsDto> {
    const language = languageOf(request.headers['accept-language']);
    const settings = await notificationSettingsRepository.read(this.database, user.id);
    return settings ?? { language, quota: true, webhooks: true };
  }

  @Patch()
  @ApiOkResponse({ type: NotificationSettingsDto })
  change(
    @CurrentSession() { user }: Session,
    @Body() dto: ChangeNotificationSettingsDto,
    @Req() request: FastifyRequest,
  ): Promise<NotificationSettingsDto> {
    const language = languageOf(request.headers['accept-language']);
    return notificationSettingsRepository.change(this.database, user.id, dto, language);
  }
}
