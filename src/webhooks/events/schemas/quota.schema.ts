import { PLANS } from '../../../kernel/plans.js';
import { COUNT, objectOf, orNull, TIME } from './json-schema.js';

/** The quota that refused a request. */
export const QUOTA_SCHEMA = objectOf({
  quota: { type: 'string', enum: ['enhancements', 'storage'] },
  limit: { ...COUNT, description: 'Enhancements a month, or bytes of storage.' },
  used: COUNT,
  resetsAt: { ...orNull(TIME), description: 'Null for storage, which only deleting frees.' },
  plan: { type: 'string', enum: PLANS },
});
