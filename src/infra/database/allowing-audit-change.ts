/** A change of `audit_events` that its trigger `audit_refuse_change` allows. */
type AuditChange = 'prune' | 'erase';

/**
 * Statements of a PL/pgSQL function that change `audit_events`, which is append-only outside of them. A function cannot
 * have the setting as its clause `SET`, because only a superuser can create such a function for a setting that
 * PostgreSQL does not know, and the service connects as the owner of its database. An error restores the setting, too.
 */
export function allowingAuditChange(change: AuditChange, statements: string): string {
  return `PERFORM set_config('ies.audit_change', '${change}', true);
       ${statements}
       PERFORM set_config('ies.audit_change', '', true);`;
}
