import { PLANS, type Plan } from '../../kernel/plans.js';
import type { Descriptor } from './descriptor.js';

/** Pixels per minute for each plan. A plan that is not listed has no limit. */
export type PixelRates = Readonly<Partial<Record<Plan, number>>>;

const FORMAT = 'plans with a number, such as `free=100000000,personal=500000000`, or one number for all';
const ONE_PAIR = /^([a-z]+)=([1-9]\d{0,14})$/;
const ONE_NUMBER = /^[1-9]\d{0,14}$/;

function read(raw: string | undefined): PixelRates {
  const given = raw?.trim() ?? '';
  if (given === '') return {};
  if (ONE_NUMBER.test(given)) return Object.fromEntries(PLANS.map((plan) => [plan, Number(given)]));
  const pairs = given.split(',').map((part) => {
    const [, plan, pixels] = ONE_PAIR.exec(part.trim()) ?? [];
    if (!PLANS.includes(plan as Plan)) throw new Error(`must be ${FORMAT.replaceAll('`', '')}, not "${raw}"`);
    return [plan, Number(pixels)] as const;
  });
  return Object.fromEntries(pairs);
}

/** The number of pixels that the jobs of one account may process. */
export const PIXEL_RATE_DESCRIPTORS = {
  pixelsPerMinute: {
    name: 'RATE_PIXELS_PER_MINUTE',
    text: 'Source pixels per minute for new jobs of one account, by plan. Further jobs get 429. This limit exists because a tiny file can hold 50 million pixels. A job with more pixels than the limit uses a whole minute.',
    defaultText: 'no limit',
    format: FORMAT,
    read,
  },
} as const satisfies Record<string, Descriptor<unknown>>;
