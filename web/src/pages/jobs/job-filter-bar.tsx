import { t } from '@lingui/core/macro';
import { Button, NativeSelect } from '@mantine/core';
import { JOB_STATUSES } from '../../api/jobs/job.js';
import { PeriodSelect } from '../../components/fields/period-select.js';
import { OperationSelect } from '../../components/status/operation-select.js';
import classes from './job-filter-bar.module.css';
import type { JobFilters } from './job-filters.js';
import { CANCELED_BADGE, STATUS_BADGES } from '../../components/status/job-badges.js';

export interface JobFilterBarProps {
  readonly filters: JobFilters;
  readonly operations: readonly string[];
  readonly isFiltered: boolean;
  readonly onChange: (changes: Partial<JobFilters>) => void;
  readonly onClear: () => void;
}

export function JobFilterBar({ filters, operations, isFiltered, onChange, onClear }: JobFilterBarProps) {
  return (
    <search className={classes['root']} aria-label={t`Filter jobs`}>
      <NativeSelect
        size="sm"
        aria-label={t`Status`}
        value={filters.status}
        onChange={(event) => onChange({ status: event.currentTarget.value })}
        data={[
          { value: '', label: t`Any status` },
          ...JOB_STATUSES.map((status) => ({ value: status, label: STATUS_BADGES[status].label })),
          { value: 'canceled', label: CANCELED_BADGE.label },
        ]}
      />
      <OperationSelect
        operations={operations}
        value={filters.operation}
        onChange={(operation) => onChange({ operation })}
      />
      <PeriodSelect value={filters.since} onChange={(since) => onChange({ since })} />
      <Button
        size="sm"
        variant="subtle"
        className={classes['clear']}
        data-off={!isFiltered}
        onClick={onClear}
      >
        {t`Clear filters`}
      </Button>
    </search>
  );
}
