import type { Config } from '../../config/env.js';
import type { Plan, PlanLimits } from '../../kernel/plans.js';
import type { Session } from './session.js';
import { csrfTokenOf } from './session-token.js';

/** Who is signed in, if anybody, and what a page must know to go on. */
export interface SessionDto {
  readonly account: {
    readonly id: string;
    readonly email: string;
    readonly plan: Plan;
    readonly limits: PlanLimits;
    readonly createdAt: string;
  } | null;
  /** To be sent as `X-CSRF-Token` with every change. */
  readonly csrfToken: string | null;
  readonly expiresAt: string | null;
  readonly signUp: Config['signUp'];
}

export function sessionDto(session: Session | undefined, { signUp }: Pick<Config, 'signUp'>): SessionDto {
  if (session === undefined) return { account: null, csrfToken: null, expiresAt: null, signUp };
  const { account, token, expiresAt } = session;
  return {
    account: { ...account, createdAt: account.createdAt.toISOString() },
    csrfToken: csrfTokenOf(token),
    expiresAt: expiresAt.toISOString(),
    signUp,
  };
}
