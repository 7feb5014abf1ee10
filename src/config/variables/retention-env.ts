import { type Plan, PLANS } from '../../kernel/plans.js';
import { type Descriptor, integer } from './descriptor.js';

/** Days for each plan; 0: unlimited. */
export type DaysByPlan = Readonly<Record<Plan, number>>;

const MAX_DAYS = 36_600;
/** Results are kept for seconds, which fit in an `integer` column. */
const MAX_RESULT_DAYS = Math.floor((2 ** 31 - 1) / 86_400);
const formatOf = (min: number, max: number): string =>
  `days from ${min} to ${max}, for all plans (\`400\`) or by plan (\`free=100,business=800\`)`;

/** Days for all plans, or for some of them; the others keep the default. */
function daysByPlan(
  name: string,
  options: {
    readonly default: number;
    readonly min: number;
    readonly max?: number;
    readonly text: string;
    readonly format?: string;
  },
): Descriptor<DaysByPlan> {
  const { max = MAX_DAYS, format = formatOf(0, max) } = options;
  const daysOf = (raw: string | undefined): number => {
    const days = Number(raw);
    if (raw === undefined || raw.trim() === '' || !Number.isInteger(days) || days < 0 || days > max)
      throw new Error(`must be ${format}`);
    if (days !== 0 && days < options.min) throw new Error(`must be 0 or at least ${options.min} days`);
    return days;
  };
  const all = (days: number): DaysByPlan =>
    Object.fromEntries(PLANS.map((plan) => [plan, days])) as Record<Plan, number>;
  return {
    name,
    text: options.text,
    defaultText: String(options.default),
    format,
    read: (raw) => {
      if (raw === undefined || raw.trim() === '') return all(options.default);
      if (!raw.includes('=')) return all(daysOf(raw));
      const given: Record<string, number> = {};
      for (const pair of raw.split(',')) {
        const [plan, days] = pair.split('=').map((text) => text.trim());
        if (!PLANS.includes(plan as Plan))
          throw new Error(`names "${plan}", which is not one of ${PLANS.join(', ')}`);
        given[plan!] = daysOf(days);
      }
      return { ...all(options.default), ...given };
    },
  };
}

/** Days for some plans. A plan with 0 days is rejected: elsewhere 0 means forever, and nothing here is kept forever. */
function daysOfPlans(name: string, text: string): Descriptor<Partial<DaysByPlan>> {
  const [min, max] = [1, MAX_RESULT_DAYS];
  const format = formatOf(min, max);
  const { read } = daysByPlan(name, { default: 0, min, max, text, format });
  return {
    name,
    text,
    defaultText: '`RESULT_RETENTION_SECONDS`',
    format,
    read: (raw) => {
      if (/(^|[,=])\s*0+\s*(,|$)/.test(raw ?? '')) throw new Error(`must be ${format}`);
      const days = Object.entries(read(raw)).filter(([, each]) => each > 0);
      return Object.fromEntries(days) as Partial<DaysByPlan>;
    },
  };
}

/** How long rows are kept. The dashboard's charts cover 90 days. */
export const RETENTION_DESCRIPTORS = {
  retentionJobDays: daysByPlan('RETENTION_JOB_DAYS', {
    default: 400,
    min: 92,
    text: 'Days to keep finished jobs and rows of deleted sources (`410`); afterward they are `404`. A job is kept at least as long as its result. `0`: forever.',
  }),
  retentionSourceDays: daysByPlan('RETENTION_SOURCE_DAYS', {
    default: 0,
    min: 1,
    text: 'Days after which sources are deleted, once no unfinished job needs them. `0`: only their owner deletes them.',
  }),
  retentionResultDays: daysOfPlans(
    'RETENTION_RESULT_DAYS',
    'Days to keep results, by plan, and the maximum of `expiresIn`. Afterward, a result is `410`. A change applies to new jobs. Plans without days use `RESULT_RETENTION_SECONDS`.',
  ),
  retentionLedgerDays: daysByPlan('RETENTION_LEDGER_DAYS', {
    default: 400,
    min: 92,
    text: 'Days to keep a ledger row for each job; afterward only monthly sums are kept. `0`: forever.',
  }),
  // Longer than the default retry schedule.
  retentionDeliveryDays: daysByPlan('RETENTION_DELIVERY_DAYS', {
    default: 30,
    min: 7,
    text: 'Days to keep webhook deliveries and their attempts. A delivery is kept at least until its last attempt. `0`: forever.',
  }),
  retentionEventDays: daysByPlan('RETENTION_EVENT_DAYS', {
    default: 30,
    min: 7,
    text: 'Days to keep events, from which an endpoint can be recovered. An event is kept at least as long as its deliveries. `0`: forever.',
  }),
  // Longer than the default retry schedule.
  retentionMailDays: integer('RETENTION_MAIL_DAYS', {
    default: 30,
    min: 7,
    max: MAX_DAYS,
    text: 'Days to keep the recipient and the result of an email, at least until its last attempt. Its content is deleted as soon as it is sent.',
  }),
  retentionUsageDays: integer('RETENTION_USAGE_DAYS', {
    default: 400,
    min: 92,
    max: MAX_DAYS,
    text: 'Days to keep the daily sums of enhancements and storage. The dashboard shows 92 days.',
  }),
  retentionIdempotencyHours: integer('RETENTION_IDEMPOTENCY_HOURS', {
    default: 24,
    min: 1,
    max: 720,
    text: 'Hours to remember an `Idempotency-Key` and the response that it got, and the source of a completed direct upload.',
  }),
} as const satisfies Record<string, Descriptor<unknown>>;
