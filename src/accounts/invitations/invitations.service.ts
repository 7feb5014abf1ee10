import { Inject, Injectable } from '@nestjs/common';
import type { AuditAction } from '../../audit/audit-actions.js';
import { auditLog } from '../../audit/audit-log.js';
import { tokenLink } from '../../auth/links/token-link.js';
import { requireCurrentRole } from '../../auth/sessions/current-role.js';
import type { Session } from '../../auth/sessions/session.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { Database, type Queryable } from '../../infra/database/database.js';
import { requireAssignable } from '../../kernel/accounts/required-role.js';
import type { Role } from '../../kernel/accounts/roles.js';
import { AppError } from '../../kernel/app-error.js';
import { newId } from '../../kernel/ids.js';
import type { Language } from '../../mail/language.js';
import { membersRepository } from '../members/members.repository.js';
import { InvitationMails } from './invitation-mails.js';
import { type Invitation, INVITATION_DAYS, invitationNotFound } from './invitation.js';
import { invitationsRepository } from './invitations.repository.js';
import { hashSecretToken, newSecretToken } from '../../kernel/secret-token.js';

/** Maximum open invitations of an organization. */
export const MAX_OPEN_INVITATIONS = 100;
/** Maximum links per day that an organization can create, including replaced and revoked ones. */
export const MAX_INVITATIONS_PER_DAY = 200;
const RETRY_SECONDS = 3_600;
const DAY_MS = 86_400_000;

export interface InvitationLink {
  readonly invitation: Invitation;
  /** Contains the token, which is not stored, so it cannot be shown again. */
  readonly url: string;
}

/** The recipient of a link, and the language of the email. */
interface Issued extends Pick<Invitation, 'email' | 'role'> {
  readonly language: Language;
}

/** Invitations of the current organization. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly database: Database,
    private readonly mails: InvitationMails,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Invitations that were neither accepted nor revoked, including expired ones. */
  list({ account }: Session): Promise<Invitation[]> {
    return invitationsRepository.listOpen(this.database, account.id);
  }

  /**
   * @throws AppError `not_signed_in`, `insufficient_role`, `already_member`, `invitation_pending`,
   *   `invitation_limit_reached`, `too_many_attempts`
   */
  async create(session: Session, email: string, role: Role, language: Language): Promise<InvitationLink> {
    const accountId = session.account.id;
    return this.database.transaction(async (tx) => {
      requireAssignable(await lockedRole(tx, session), role);
      if (await membersRepository.hasEmail(tx, accountId, email)) throw new AppError('already_member');
      const earlier = await invitationsRepository.findOpen(tx, accountId, email);
      if (earlier?.isExpired === false) throw new AppError('invitation_pending');
      if (earlier !== undefined) await invitationsRepository.revoke(tx, earlier.id);
      return this.issue(tx, session, 'invitation.created', { email, role, language });
    });
  }

  /**
   * Replaces the link with a new one that is valid for the full period.
   * @throws AppError the errors of `target` and `create`
   */
  async renew(session: Session, id: string, language: Language): Promise<InvitationLink> {
    return this.database.transaction(async (tx) => {
      const { email, role } = await target(tx, session, id);
      await invitationsRepository.revoke(tx, id);
      return this.issue(tx, session, 'invitation.renewed', { email, role, language });
    });
  }

  /** @throws AppError the errors of `target` */
  async revoke(session: Session, id: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const { email, role } = await target(tx, session, id);
      await invitationsRepository.revoke(tx, id);
      await record(tx, 'invitation.revoked', { id, accountId: session.account.id, email, role });
    });
  }

  /** @throws AppError `invitation_limit_reached`, `too_many_attempts` */
  private async issue(
    tx: Queryable,
    session: Session,
    action: AuditAction,
    { email, role, language }: Issued,
  ): Promise<InvitationLink> {
    const { account, user } = session;
    const { open, today } = await invitationsRepository.counts(tx, account.id);
    if (open >= MAX_OPEN_INVITATIONS) throw new AppError('invitation_limit_reached');
    if (today >= MAX_INVITATIONS_PER_DAY)
      throw new AppError('too_many_attempts', {
        detail: `The organization has created ${MAX_INVITATIONS_PER_DAY} invitations in the last 24 hours, which is the limit. Try again later.`,
        retryAfterSeconds: RETRY_SECONDS,
      });
    const [id, token] = [newId('invitation'), newSecretToken()];
    const made = { id, accountId: account.id, email, role };
    const tokenHash = hashSecretToken(token);
    const url = tokenLink(this.config.publicUrl, '/invitation', token);
    const expiresAt = new Date(Date.now() + INVITATION_DAYS * DAY_MS);
    const mailId = await this.mails.send(tx, session, { email, role, url, expiresAt }, language);
    await invitationsRepository.insert(tx, { ...made, tokenHash, invitedBy: user.id, mailId });
    await record(tx, action, made);
    const invitation = await invitationsRepository.find(tx, account.id, id);
    return { invitation: invitation!, url };
  }
}

/**
 * Locks the organization.
 * @returns the current role of the user
 * @throws AppError `not_signed_in`, `insufficient_role`
 */
async function lockedRole(tx: Queryable, session: Session): Promise<Role> {
  await membersRepository.lock(tx, session.account.id);
  return requireCurrentRole(tx, session, 'members:write');
}

/**
 * Finds the open invitation that the session's user wants to change, and locks the organization.
 * @throws AppError `not_signed_in`, `insufficient_role`, `not_found`
 */
async function target(tx: Queryable, session: Session, id: string): Promise<Invitation> {
  const actorRole = await lockedRole(tx, session);
  const found = await invitationsRepository.find(tx, session.account.id, id);
  if (found === undefined || found.isRevoked || found.acceptedBy !== null) throw invitationNotFound();
  requireAssignable(actorRole, found.role);
  return found;
}

function record(
  tx: Queryable,
  action: AuditAction,
  { id, accountId, email, role }: Pick<Invitation, 'id' | 'accountId' | 'email' | 'role'>,
): Promise<void> {
  return auditLog.record(tx, { action, accountId, targetId: id, details: { email, role } });
}
