import type { Plan, PlanLimits } from '../../kernel/plans.js';

/** A signed-in user. */
export interface Session {
  /** The token in the cookie; never shown, logged, or stored. */
  readonly token: string;
  readonly expiresAt: Date;
  readonly account: SignedInAccount;
}

export interface SignedInAccount {
  readonly id: string;
  readonly email: string;
  readonly plan: Plan;
  readonly limits: PlanLimits;
  readonly createdAt: Date;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the session guard on dashboard routes. */
    session?: Session;
  }
}
