import { type Descriptor, integer } from './descriptor.js';

/** The audit log (docs/accounts.md). */
export const AUDIT_DESCRIPTORS = {
  retentionAuditDays: integer('RETENTION_AUDIT_DAYS', {
    default: 365,
    min: 1,
    max: 36_600,
    text: 'Days for which the audit log is kept.',
  }),
} as const satisfies Record<string, Descriptor<unknown>>;
