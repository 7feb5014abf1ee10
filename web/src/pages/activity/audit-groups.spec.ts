import { describe, expect, it } from 'vitest';
import { AUDIT_ACTION_NAMES } from '../../../../src/audit/audit-actions.js';
import { ACCOUNT_GROUPS, SERVICE_GROUPS } from './audit-groups.js';

const sorted = (values: readonly string[]) => values.toSorted((a, b) => a.localeCompare(b));

describe('the groups of the audit log', () => {
  const groups = [...ACCOUNT_GROUPS, ...SERVICE_GROUPS];

  it('are those of the service', () => {
    const known = new Set(AUDIT_ACTION_NAMES.map((action) => action.split('.')[0]!));
    expect(sorted(groups.map(({ value }) => value))).toEqual(sorted([...known]));
  });

  it('have different labels', () => {
    expect(new Set(groups.map(({ label }) => label)).size).toBe(groups.length);
  });
});
