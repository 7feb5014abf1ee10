import { type Descriptor, integer } from './descriptor.js';

/** The audit log (docs/accounts.md). */
export const AUDIT_DESCRIPTORS = {
  retentionAuditDays: integer('RETENTION_AUDIT_DAYS', {
    default: 365,
    min: 1,
    max: 36_600,
    text: 'Days to keep audit log events.',
  }),
} as const satisfies Record<string, Descriptor<unknown>>;
