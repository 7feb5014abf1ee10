import { t } from '@lingui/core/macro';
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
    <search className={classes['root']} aria-label={t`Filter results`}>
      <NameField value={filters.name} onChange={(name) => onChange({ name })} />
      <NativeSelect
        aria-label={t`Operation`}
        value={filters.operation}
        onChange={(event) => onChange({ operation: event.currentTarget.value })}
        data={[
          { value: '', label: t`Any operation` },
          ...operations.map((operation) => ({ value: operation, label: operationLabel(operation) })),
        ]}
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
      aria-label={t`Search by name`}
      placeholder={t`Search by name`}
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
