import { t } from '@lingui/core/macro';
import { NativeSelect } from '@mantine/core';
import type { AccountFilters } from '../../../api/operator/accounts.js';
import { FilterBar } from '../../../components/pages/filter-bar.js';
import { SearchField } from '../../../components/fields/search-field.js';
import { planLabel } from '../../../lib/format.js';
import { PLANS, STATUS_TEXTS } from './account-texts.js';

export interface AccountFilterBarProps {
  readonly filters: AccountFilters;
  readonly onChange: (changes: Partial<AccountFilters>) => void;
}

export function AccountFilterBar({ filters, onChange }: AccountFilterBarProps) {
  return (
    <FilterBar layout="search" label={t`Filter accounts`}>
      <SearchField
        aria-label={t`Search accounts`}
        placeholder={t`Email, domain or ID`}
        value={filters.search}
        onSearch={(search) => onChange({ search })}
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
    </FilterBar>
  );
}
