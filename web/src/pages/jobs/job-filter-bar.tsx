import { Button, NativeSelect } from '@mantine/core';
import { JOB_STATUSES } from '../../api/jobs/job.js';
import { operationLabel } from '../../lib/format.js';
import classes from './job-filter-bar.module.css';
import type { JobFilters } from './job-filters.js';
import { CANCELED_BADGE, STATUS_BADGES } from '../../components/status/job-badges.js';

const PERIODS = [
  { value: '', label: 'Any time' },
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last 24 hours' },
  { value: '168', label: 'Last 7 days' },
  { value: '720', label: 'Last 30 days' },
];

export interface JobFilterBarProps {
  readonly filters: JobFilters;
  readonly operations: readonly string[];
  readonly isFiltered: boolean;
  readonly onChange: (changes: Partial<JobFilters>) => void;
  readonly onClear: () => void;
}

export function JobFilterBar({ filters, operations, isFiltered, onChange, onClear }: JobFilterBarProps) {
  return (
    <search className={classes['root']} aria-label="Filter jobs">
      <NativeSelect
        size="sm"
        aria-label="Status"
        value={filters.status}
        onChange={(event) => onChange({ status: event.currentTarget.value })}
        data={[
          { value: '', label: 'Any status' },
          ...JOB_STATUSES.map((status) => ({ value: status, label: STATUS_BADGES[status].label })),
          { value: 'canceled', label: CANCELED_BADGE.label },
        ]}
      />
      <NativeSelect
        size="sm"
        aria-label="Operation"
        value={filters.operation}
        onChange={(event) => onChange({ operation: event.currentTarget.value })}
        data={[
          { value: '', label: 'Any operation' },
          ...operations.map((operation) => ({ value: operation, label: operationLabel(operation) })),
        ]}
      />
      <NativeSelect
        size="sm"
        aria-label="Created"
        value={filters.since}
        onChange={(event) => onChange({ since: event.currentTarget.value })}
        data={PERIODS}
      />
      <Button
        size="sm"
        variant="subtle"
        onClick={onClear}
        style={{ visibility: isFiltered ? 'visible' : 'hidden' }}
      >
        Clear filters
      </Button>
    </search>
  );
}
