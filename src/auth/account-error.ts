import type { Plan } from '../kernel/plans.js';

/** A request of an operator or owner that cannot be fulfilled; the message is for people. */
export class AccountError extends Error {}

/** The account has as many active keys as its plan, or test mode, allows. */
export class KeyLimitReached extends AccountError {
  constructor(
    readonly used: number,
    readonly limit: number,
    readonly plan: Plan,
    /** Test keys have a limit of their own, whatever the plan. */
    readonly livemode = true,
  ) {
    super(
      livemode
        ? `The account has ${used} of the ${limit} keys that its plan (${plan}) allows. Revoke one or change the plan.`
        : `The account has ${used} active test keys, which is the limit. Revoke one and try again.`,
    );
  }
}

/** There is no such key, or it is not active any more. */
export class KeyNotActive extends AccountError {
  constructor(
    id: string,
    /** Whether the account has, or had, such a key. */
    readonly isKnown: boolean,
  ) {
    super(`There is no active key "${id}".`);
  }
}
