import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { MailModule } from '../mail/mail.module.js';
import { UsageExport } from '../quotas/export/usage-export.js';
import { UsageExportRepository } from '../quotas/export/usage-export.repository.js';
import { AccountDeletion } from './account-deletion.js';
import { AccountEraser } from './account-eraser.js';
import { AccountErasureRepository } from './account-erasure.repository.js';
import { AccountController } from './account.controller.js';
import { AccountChanges } from './events/account-changes.js';
import { AccountExportController } from './export/account-export.controller.js';
import { AccountExports } from './export/account-exports.js';
import { AccountEventsController } from './events/account-events.controller.js';
import { InvitationAcceptance } from './invitations/invitation-acceptance.js';
import { InvitationAcceptanceController } from './invitations/invitation-acceptance.controller.js';
import { InvitationMails } from './invitations/invitation-mails.js';
import { InvitationsController } from './invitations/invitations.controller.js';
import { InvitationsService } from './invitations/invitations.service.js';
import { MembersController } from './members/members.controller.js';
import { MembersService } from './members/members.service.js';
import { OrganizationCreation } from './members/organization-creation.js';
import { OrganizationsController } from './members/organizations.controller.js';
import { PlanRequestsController } from './plans/plan-requests.controller.js';
import { PlanRequestsService } from './plans/plan-requests.service.js';

@Module({
  imports: [AuthModule, MailModule],
  controllers: [
    AccountController,
    AccountEventsController,
    AccountExportController,
    InvitationsController,
    InvitationAcceptanceController,
    MembersController,
    OrganizationsController,
    PlanRequestsController,
  ],
  providers: [
    AccountErasureRepository,
    AccountEraser,
    AccountDeletion,
    AccountExports,
    UsageExport,
    UsageExportRepository,
    AccountChanges,
    MembersService,
    OrganizationCreation,
    InvitationMails,
    InvitationsService,
    InvitationAcceptance,
    PlanRequestsService,
  ],
  exports: [AccountEraser],
})
export class AccountsModule {}
