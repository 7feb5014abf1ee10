import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { FilterBar } from '../../components/pages/filter-bar.js';
import { SearchField } from '../../components/fields/search-field.js';
import { PeriodSelect } from '../../components/fields/period-select.js';
import { OperationSelect } from '../../components/status/operation-select.js';
import type { ResultFilters } from './result-filters.js';

const MAX_NAME = 200;
export interface ResultFilterBarProps {
  readonly filters: ResultFilters;
  readonly operations: readonly string[];
  readonly isFiltered: boolean;
  readonly onChange: (changes: Partial<ResultFilters>) => void;
  readonly onClear: () => void;
}

export function ResultFilterBar(props: ResultFilterBarProps) {
  const { filters, operations, isFiltered, onChange, onClear } = props;
  return (
    <FilterBar layout="search" label={t`Filter results`}>
      <SearchField
        aria-label={t`Search by name`}
        placeholder={t`Search by name`}
        maxLength={MAX_NAME}
        value={filters.name}
        onSearch={(name) => onChange({ name })}
      />
      <OperationSelect
        operations={operations}
        value={filters.operation}
        onChange={(operation) => onChange({ operation })}
      />
      <PeriodSelect value={filters.since} onChange={(since) => onChange({ since })} />
      {isFiltered && (
        <Button variant="subtle" onClick={onClear}>
          {t`Clear filters`}
        </Button>
      )}
    </FilterBar>
  );
}
