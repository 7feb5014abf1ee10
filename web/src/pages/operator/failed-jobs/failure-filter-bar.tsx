import { t } from '@lingui/core/macro';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useOperations } from '../../../api/models/operations.js';
import type { FailureFilters } from '../../../api/operator/failed-jobs.js';
import { FilterBar } from '../../../components/pages/filter-bar.js';
import { PeriodSelect } from '../../../components/fields/period-select.js';
import { OperationSelect } from '../../../components/status/operation-select.js';

export interface FailureFilterBarProps {
  readonly filters: FailureFilters;
  readonly onChange: (changes: Partial<FailureFilters>) => void;
}

export function FailureFilterBar({ filters, onChange }: FailureFilterBarProps) {
  const { names: operations } = useOperations();
  const [account, setAccount] = useState(filters.account);
  const [applied, setApplied] = useState(filters.account);
  // The URL has changed, for example to that of the page without filters.
  if (filters.account !== applied) {
    setApplied(filters.account);
    setAccount(filters.account);
  }
  const search = () => onChange({ account: account.trim() });
  return (
    <FilterBar layout="search" label={t`Filter jobs`}>
      <TextInput
        type="search"
        aria-label={t`Account`}
        placeholder={t`Account: email or ID`}
        autoComplete="off"
        spellCheck={false}
        value={account}
        onChange={(event) => setAccount(event.currentTarget.value)}
        onBlur={search}
        onKeyDown={(event) => event.key === 'Enter' && search()}
      />
      <OperationSelect
        operations={operations}
        value={filters.operation}
        onChange={(operation) => onChange({ operation })}
      />
      <PeriodSelect value={filters.hours} onChange={(hours) => onChange({ hours })} />
    </FilterBar>
  );
}
