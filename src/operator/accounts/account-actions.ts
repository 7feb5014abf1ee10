import { Injectable } from '@nestjs/common';
import { AccountAccess, type TemporaryPassword } from '../../accounts/account-access.js';
import { requireConfirmation } from '../../accounts/account-deletion.js';
import { AccountEraser } from '../../accounts/account-eraser.js';
import { AccountSuspension } from '../../accounts/account-suspension.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { AppError } from '../../kernel/app-error.js';
import { agreedLimits, requireAgreedLimits } from './agreed-limits.js';
import type { SetPlanDto, SuspendDto } from './account-requests.dto.js';
import { ConsoleAccounts } from './console-accounts.js';

/**
 * Changes that an operator makes to the account of a customer. The audit log of that account records every change, with
 * the operator as the actor.
 */
@Injectable()
export class AccountActions {
  constructor(
    private readonly console: ConsoleAccounts,
    private readonly accounts: AccountsService,
    private readonly suspension: AccountSuspension,
    private readonly access: AccountAccess,
    private readonly eraser: AccountEraser,
  ) {}

  /** @throws AppError `not_found`, `invalid_request` for Enterprise without limits */
  async setPlan(id: string, { plan, limits }: SetPlanDto): Promise<void> {
    const agreed = agreedLimits(limits);
    requireAgreedLimits(plan, agreed);
    await this.console.nameOf(id);
    await this.accounts.setPlan(id, plan, agreed);
  }

  /** @throws AppError `not_found`, `own_account` */
  async suspend(operatorId: string, id: string, { reason, withOrganizations }: SuspendDto): Promise<void> {
    await this.other(operatorId, id);
    await this.suspension.suspend(id, reason, withOrganizations);
  }

  /** @throws AppError `not_found` */
  async resume(id: string): Promise<void> {
    await this.console.nameOf(id);
    await this.suspension.resume(id);
  }

  /** @throws AppError `not_found`, also for an organization; `service_unavailable` when too many passwords are being hashed */
  async resetPassword(id: string): Promise<TemporaryPassword> {
    await this.console.nameOf(id);
    const temporary = await this.access.resetPassword(id);
    if (temporary === undefined)
      throw new AppError('not_found', {
        detail: 'An organization has no password, because nobody signs in to it. Nothing was changed.',
      });
    return temporary;
  }

  /**
   * Turns off two-factor authentication of a user who lost the app and the recovery codes. Operators turn off their own
   * with their password, on the page Security.
   * @throws AppError `not_found`, `own_account`
   */
  async resetTwoFactor(operatorId: string, id: string): Promise<void> {
    await this.other(operatorId, id);
    await this.access.resetTwoFactor(id);
  }

  /** Operators unlink their own on the page Security. @throws AppError `not_found`, `own_account`, `only_sign_in` */
  async unlinkIdentity(operatorId: string, id: string, identityId: string): Promise<void> {
    await this.other(operatorId, id);
    await this.access.unlinkIdentity(id, identityId);
  }

  /** @returns the number of ended sessions. @throws AppError `not_found` */
  async signOut(id: string): Promise<number> {
    await this.console.nameOf(id);
    return this.access.signOut(id);
  }

  /** @throws AppError `not_found`, `own_account`, `invalid_request` without the right confirmation */
  async delete(operatorId: string, id: string, confirmation: string): Promise<void> {
    const name = await this.other(operatorId, id);
    requireConfirmation(confirmation, name);
    await this.eraser.erase(id);
  }

  /** @returns the name of the account. @throws AppError `not_found`, `own_account` */
  private async other(operatorId: string, id: string): Promise<string> {
    if (operatorId === id) throw new AppError('own_account');
    return this.console.nameOf(id);
  }
}
