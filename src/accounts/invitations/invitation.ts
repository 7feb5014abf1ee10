import { AppError } from '../../kernel/app-error.js';
import type { Role } from '../../kernel/accounts/roles.js';

export const INVITATION_MAIL_STATUSES = ['pending', 'sent', 'failed'] as const;
export type InvitationMailStatus = (typeof INVITATION_MAIL_STATUSES)[number];

/** An invitation of an organization to an email address. */
export interface Invitation {
  readonly id: string;
  readonly accountId: string;
  /** Name of the organization, or the address of its user. */
  readonly organization: string;
  /** Whether the organization is suspended. The invitation can be accepted once it is resumed. */
  readonly isSuspended: boolean;
  readonly email: string;
  readonly role: Role;
  /** Address of the member who sent the invitation. */
  readonly invitedBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly isExpired: boolean;
  readonly isRevoked: boolean;
  /** The email that contains the link; null when it was not mailed. */
  readonly mailId: string | null;
  /** The status of that email; null also when its row no longer exists. */
  readonly mailStatus: InvitationMailStatus | null;
  /** The user who accepted it; null while it has not been accepted. */
  readonly acceptedBy: string | null;
}

/** Days for which the link of an invitation works. */
export const INVITATION_DAYS = 7;

/** @throws AppError `invitation_used`, `invitation_revoked`, `invitation_expired`, `account_suspended` */
export function requireOpen({ acceptedBy, isRevoked, isExpired, isSuspended }: Invitation): void {
  if (acceptedBy !== null) throw new AppError('invitation_used');
  if (isRevoked) throw new AppError('invitation_revoked');
  if (isExpired) throw new AppError('invitation_expired');
  if (isSuspended)
    throw new AppError('account_suspended', {
      detail: 'This organization is suspended. The invitation can be accepted once it is resumed.',
    });
}

export const invitationNotFound = (): AppError =>
  new AppError('not_found', { detail: 'There is no such invitation. Check that the link is complete.' });
