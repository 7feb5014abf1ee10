import { t } from '@lingui/core/macro';
import { Button, NativeSelect } from '@mantine/core';
import { FilterBar } from '../../components/pages/filter-bar.js';
import { SearchField } from '../../components/text/search-field.js';
import { OperationSelect } from '../../components/status/operation-select.js';
import type { ResultFilters } from './result-filters.js';

const MAX_NAME = 200;
const PERIODS = [
  { value: '', label: t`Any time` },
  { value: '24', label: t`Last 24 hours` },
  { value: '168', label: t`Last 7 days` },
  { value: '720', label: t`Last 30 days` },
];

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
      <NativeSelect
        aria-label={t`Created`}
        value={filters.since}
        onChange={(event) => onChange({ since: event.currentTarget.value })}
        data={PERIODS}
      />
      {isFiltered && (
        <Button variant="subtle" onClick={onClear}>
          {t`Clear filters`}
        </Button>
      )}
    </FilterBar>
  );
}
