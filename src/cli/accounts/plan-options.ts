import { LIMIT_CEILINGS, LIMIT_NAMES, type Plan, type PlanLimits, PLANS } from '../../kernel/plans.js';
import { UsageError } from '../command-line.mjs';

/** @throws UsageError */
export function planArgument(text: string): Plan {
  const plan = PLANS.find((candidate) => candidate === text);
  if (plan === undefined) throw new UsageError(`"${text}" is not a plan. Plans: ${PLANS.join(', ')}.`);
  return plan;
}

/** Reads limits such as `rpm=1200,keys=20`. @throws UsageError */
export function limitsOption(text: string): Partial<PlanLimits> {
  return Object.fromEntries(text.split(',').map((pair) => limitOf(pair)));
}

function limitOf(pair: string): [keyof PlanLimits, number] {
  const at = pair.indexOf('=');
  const [word, raw] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
  const name = LIMIT_NAMES.find((candidate) => candidate === word);
  if (name === undefined)
    throw new UsageError(`"${word}" is not a limit. Limits: ${LIMIT_NAMES.join(', ')}.`);
  const value = Number(raw);
  if (raw === '' || !Number.isInteger(value) || value < 0 || value > LIMIT_CEILINGS[name])
    throw new UsageError(`--limits ${name} must be a whole number from 0 to ${LIMIT_CEILINGS[name]}.`);
  return [name, value];
}

/**
 * Requires limits for Enterprise, because they are agreed with each account. A limit that is not given is that of
 * Business.
 * @throws UsageError for Enterprise without limits
 */
export function requireEnterpriseLimits(plan: Plan, limits: Partial<PlanLimits> | undefined): void {
  if (plan !== 'enterprise' || limits !== undefined) return;
  throw new UsageError(
    'The enterprise plan needs the limits agreed with the account: --limits rpm=…,enhancements=…,storageBytes=…,keys=…. Limits left out are those of business.',
  );
}
