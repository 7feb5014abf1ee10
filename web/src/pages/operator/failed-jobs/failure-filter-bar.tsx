import { t } from '@lingui/core/macro';
import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { FailureFilters } from '../../../api/operator/failed-jobs.js';
import { operationLabel } from '../../../lib/format.js';
import classes from './failed-jobs.module.css';

const OPERATIONS = ['smooth_skin', 'upscale', 'auto_enhance', 'bg_remove'];
const PERIODS = [
  { value: '1', label: t`Last hour` },
  { value: '24', label: t`Last 24 hours` },
  { value: '168', label: t`Last 7 days` },
  { value: '720', label: t`Last 30 days` },
  { value: '', label: t`Any time` },
];

export interface FailureFilterBarProps {
  readonly filters: FailureFilters;
  readonly onChange: (changes: Partial<FailureFilters>) => void;
}

export function FailureFilterBar({ filters, onChange }: FailureFilterBarProps) {
  const [account, setAccount] = useState(filters.account);
  const search = () => onChange({ account: account.trim() });
  return (
    <search className={classes['filters']} aria-label={t`Filter jobs`}>
      <TextInput
        type="search"
        aria-label={t`Account`}
        placeholder={t`Account: email or id`}
        autoComplete="off"
        spellCheck={false}
        value={account}
        onChange={(event) => setAccount(event.currentTarget.value)}
        onBlur={search}
        onKeyDown={(event) => event.key === 'Enter' && search()}
      />
      <NativeSelect
        aria-label={t`Operation`}
        value={filters.operation}
        onChange={(event) => onChange({ operation: event.currentTarget.value })}
        data={[
          { value: '', label: t`Any operation` },
          ...OPERATIONS.map((operation) => ({ value: operation, label: operationLabel(operation) })),
        ]}
      />
      <NativeSelect
        aria-label={t`Created`}
        value={filters.hours}
        onChange={(event) => onChange({ hours: event.currentTarget.value })}
        data={PERIODS}
      />
    </search>
  );
}
