import { LIMIT_NAMES, PLANS } from '../../../kernel/plans.js';
import type { ServiceEventType } from '../event-types.js';
import { type Happening, objectOf } from './happening.js';

const ACCOUNT = {
  accountId: { type: 'string', pattern: '^acc_[0-9a-f]{32}$' },
  accountName: {
    type: 'string',
    description: "The name of an organization, or the address of a user's account.",
  },
} as const;

const EXAMPLE_ACCOUNT = {
  accountId: 'acc_0193f2c4a0007c3d8e4f5a6b7c8d9e0f',
  accountName: 'ada@example.org',
} as const;

/** What the billing system of the operator is told. */
export const SERVICE_HAPPENINGS: Readonly<Record<ServiceEventType, Happening>> = {
  'plan.requested': {
    description: 'A customer asks for another plan.',
    data: objectOf({
      planRequest: objectOf({
        id: { type: 'string', pattern: '^plr_[0-9a-f]{32}$' },
        ...ACCOUNT,
        currentPlan: { type: 'string', enum: [...PLANS] },
        plan: { type: 'string', enum: [...PLANS] },
        note: { type: ['string', 'null'] },
        requestedBy: { type: ['string', 'null'], description: 'Address of the user who asked.' },
        createdAt: { type: 'string', format: 'date-time' },
      }),
    }),
    example: {
      planRequest: {
        id: 'plr_0193f2c4a1b27c3d8e4f5a6b7c8d9e0f',
        ...EXAMPLE_ACCOUNT,
        currentPlan: 'free',
        plan: 'business',
        note: 'About 5,000 photos a month.',
        requestedBy: 'ada@example.org',
        createdAt: '2026-11-21T08:00:02.310Z',
      },
    },
  },
  'plan.changed': {
    description: 'The plan of an account, or the limits agreed with it, were changed.',
    data: objectOf({
      plan: objectOf({
        ...ACCOUNT,
        from: { type: 'string', enum: [...PLANS] },
        to: { type: 'string', enum: [...PLANS] },
        limits: {
          type: ['object', 'null'],
          description: 'Limits that override those of the plan.',
          properties: Object.fromEntries(LIMIT_NAMES.map((name) => [name, { type: 'integer' }])),
        },
      }),
    }),
    example: { plan: { ...EXAMPLE_ACCOUNT, from: 'free', to: 'business', limits: null } },
  },
  'usage.recorded': {
    description:
      'What an account used on a day. Sent once for each day with usage, some hours after it has ended.',
    data: objectOf({
      usage: objectOf({
        ...ACCOUNT,
        day: { type: 'string', format: 'date', description: 'UTC.' },
        enhancements: { type: 'integer', minimum: 1 },
        items: {
          type: 'array',
          minItems: 1,
          items: objectOf({
            keyId: { type: ['string', 'null'], description: 'Null for the dashboard.' },
            operation: { type: 'string' },
            enhancements: { type: 'integer', minimum: 1 },
          }),
        },
      }),
    }),
    example: {
      usage: {
        ...EXAMPLE_ACCOUNT,
        day: '2026-11-21',
        enhancements: 42,
        items: [
          { keyId: null, operation: 'bg_remove', enhancements: 2 },
          { keyId: 'key_0193f2c4a0017c3d8e4f5a6b7c8d9e0f', operation: 'upscale', enhancements: 40 },
        ],
      },
    },
  },
};
