import { t } from '@lingui/core/macro';
import { NativeSelect, TextInput } from '@mantine/core';
import type { AuditFilters } from '../../../api/operator/audit.js';
import { SearchField } from '../../../components/fields/search-field.js';
import { ACCOUNT_GROUPS, SERVICE_GROUPS } from '../../activity/audit-groups.js';
import classes from './audit-filter-bar.module.css';

const GROUPS = [{ value: '', label: t`All actions` }, ...ACCOUNT_GROUPS, ...SERVICE_GROUPS];

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
        label={t({ message: 'To', context: 'end of a period' })}
        value={filters.to}
        onChange={(event) => onChange({ to: event.currentTarget.value })}
      />
    </search>
  );
}
