import { t } from '@lingui/core/macro';
import { NativeSelect, TextInput } from '@mantine/core';
import type { AuditFilters } from '../../../api/operator/audit.js';
import { SearchField } from '../../../components/fields/search-field.js';
import classes from './audit-filter-bar.module.css';

const GROUPS = [
  { value: '', label: t`All actions` },
  { value: 'sign_in', label: t`Sign-ins` },
  { value: 'session', label: t`Sessions` },
  { value: 'account', label: t`Accounts` },
  { value: 'member', label: t`Members` },
  { value: 'operator', label: t`Operators` },
  { value: 'plan', label: t`Plans` },
  { value: 'key', label: t`API keys` },
  { value: 'endpoint', label: t`Webhooks` },
  { value: 'password', label: t`Passwords` },
  { value: 'two_factor', label: t`Two-factor authentication` },
  { value: 'passkey', label: t`Passkeys` },
  { value: 'secrets', label: t`Service keys` },
  { value: 'worker', label: t`Workers` },
  { value: 'restore', label: t`Backups` },
  { value: 'audit', label: t`Exports` },
];

export interface AuditFilterBarProps {
  readonly filters: AuditFilters;
  readonly onChange: (changes: Partial<AuditFilters>) => void;
}

export function AuditFilterBar({ filters, onChange }: AuditFilterBarProps) {
  const isListed = GROUPS.some(({ value }) => value === filters.action);
  return (
    <search className={classes['filters']} aria-label={t`Filter events`}>
      <SearchField
        label={t`Account`}
        placeholder={t`Email or ID`}
        value={filters.account}
        onSearch={(account) => onChange({ account })}
      />
      <NativeSelect
        label={t`Action`}
        value={filters.action}
        onChange={(event) => onChange({ action: event.currentTarget.value })}
        data={isListed ? GROUPS : [...GROUPS, { value: filters.action, label: filters.action }]}
      />
      <TextInput
        type="date"
        label={t`From`}
        value={filters.from}
        onChange={(event) => onChange({ from: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label={t`To`}
        value={filters.to}
        onChange={(event) => onChange({ to: event.currentTarget.value })}
      />
    </search>
  );
}
