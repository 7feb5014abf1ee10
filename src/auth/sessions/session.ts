import type { Plan, PlanLimits } from '../../kernel/plans.js';

/** Somebody who is signed in. */
export interface Session {
  /** As the cookie holds it; never shown, logged or stored. */
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
    /** Set by the session guard on routes of the dashboard. */
    session?: Session;
  }
}
