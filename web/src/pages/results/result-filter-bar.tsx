import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { operationLabel } from '../../lib/format.js';
import classes from './result-filter-bar.module.css';
import type { ResultFilters } from './result-filters.js';

const TYPING_MS = 300;
const MAX_NAME = 200;
const PERIODS = [
  { value: '', label: 'Any time' },
  { value: '24', label: 'Last 24 hours' },
  { value: '168', label: 'Last 7 days' },
  { value: '720', label: 'Last 30 days' },
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
    <search className={classes['root']} aria-label="Filter results">
      <NameField value={filters.name} onChange={(name) => onChange({ name })} />
      <NativeSelect
        aria-label="Operation"
        value={filters.operation}
        onChange={(event) => onChange({ operation: event.currentTarget.value })}
        data={[
          { value: '', label: 'Any operation' },
          ...operations.map((operation) => ({ value: operation, label: operationLabel(operation) })),
        ]}
      />
      <NativeSelect
        aria-label="Created"
        value={filters.since}
        onChange={(event) => onChange({ since: event.currentTarget.value })}
        data={PERIODS}
      />
      {isFiltered && (
        <Button variant="subtle" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </search>
  );
}

/** Searches when somebody has stopped typing. */
function NameField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (name: string) => void;
}) {
  const [text, setText] = useState(value);
  const [last, setLast] = useState(value);
  const search = useDebouncedCallback(onChange, TYPING_MS);
  if (value !== last) {
    // Cleared, or another address. What was typed itself only loses its spaces.
    setLast(value);
    if (text.trim() !== value) setText(value);
  }
  return (
    <TextInput
      type="search"
      aria-label="Search by name"
      placeholder="Search by name"
      maxLength={MAX_NAME}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        search(event.currentTarget.value.replaceAll(/\p{Cc}/gu, '').trim());
      }}
    />
  );
}
