import type { Permission, Role } from '../../kernel/accounts/roles.js';
import type { Plan, PlanLimits } from '../../kernel/plans.js';

/** A signed-in user. */
export interface Session {
  /** The token in the cookie; never shown, logged, or stored. */
  readonly token: string;
  readonly expiresAt: Date;
  readonly user: SignedInUser;
  /**
   * The current organization: the user's own account, one that the user is a member of, or that of a customer whom an
   * operator is signed in as.
   */
  readonly account: SignedInAccount;
  readonly role: Role;
  /**
   * Those of the role; only to read while an operator is signed in as a customer, and without webhooks and changes of
   * keys for members of an operator's account who are not operators.
   */
  readonly permissions: readonly Permission[];
  /** Set while the user, an operator, is signed in as a customer. */
  readonly impersonation: Impersonation | null;
}

/** An operator sees the account of a customer, and cannot change it. */
export interface Impersonation {
  readonly startedAt: Date;
  readonly expiresAt: Date;
}

/** The signed-in user. The id is that of the user's own account. */
export interface SignedInUser {
  readonly id: string;
  readonly email: string;
  /** Whether the user has the operator role at the time of the request, in any organization. */
  readonly operator: boolean;
  /** Whether the user has verified this email address. */
  readonly isEmailVerified: boolean;
  /** Whether a link to verify it was sent and still works. */
  readonly hasVerificationLink: boolean;
  /** Whether the user can sign in with a password. Users of an OpenID provider need none. */
  readonly hasPassword: boolean;
}

export interface SignedInAccount {
  readonly id: string;
  readonly email: string;
  /** The name of an organization, or the address of a user's account. */
  readonly name: string;
  /** The user who cannot be removed; of a user's own account, that user. */
  readonly ownerId: string;
  readonly plan: Plan;
  readonly limits: PlanLimits;
  readonly createdAt: Date;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the session guard on dashboard routes. */
    session?: Session;
    /** Set on routes of the operator console: the audit log then names the user as an operator. */
    isOperatorRoute?: boolean;
  }
}
