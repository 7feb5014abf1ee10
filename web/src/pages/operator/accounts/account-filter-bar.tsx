import { t } from '@lingui/core/macro';
import { NativeSelect, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { AccountFilters } from '../../../api/operator/accounts.js';
import { planLabel } from '../../../lib/format.js';
import classes from './accounts-page.module.css';
import { PLANS, STATUS_TEXTS } from './account-texts.js';

/** A search starts this long after the last key. */
const TYPING_MS = 250;

export interface AccountFilterBarProps {
  readonly filters: AccountFilters;
  readonly onChange: (changes: Partial<AccountFilters>) => void;
}

export function AccountFilterBar({ filters, onChange }: AccountFilterBarProps) {
  const [text, setText] = useState(filters.search);
  const [shown, setShown] = useState(filters.search);
  // The address has changed: by typing here, or by a link.
  if (shown !== filters.search) {
    setShown(filters.search);
    setText(filters.search);
  }
  useEffect(() => {
    if (text === filters.search) return;
    const timer = setTimeout(() => onChange({ search: text }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, filters.search, onChange]);
  return (
    <search className={classes['filters']} aria-label={t`Filter accounts`}>
      <TextInput
        type="search"
        aria-label={t`Search accounts`}
        placeholder={t`Email, domain or id`}
        leftSection={<IconSearch size={16} stroke={1.7} />}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <NativeSelect
        aria-label={t`Plan`}
        value={filters.plan}
        onChange={(event) => onChange({ plan: event.currentTarget.value })}
        data={[
          { value: '', label: t`Any plan` },
          ...PLANS.map((plan) => ({ value: plan, label: planLabel(plan) })),
        ]}
      />
      <NativeSelect
        aria-label={t`Status`}
        value={filters.status}
        onChange={(event) => onChange({ status: event.currentTarget.value })}
        data={[
          { value: '', label: t`Any status` },
          { value: 'active', label: STATUS_TEXTS.active },
          { value: 'suspended', label: STATUS_TEXTS.suspended },
        ]}
      />
    </search>
  );
}
