import { t } from '@lingui/core/macro';
import { NativeSelect } from '@mantine/core';

const PERIODS = [
  { value: '', label: t`Any time` },
  { value: '1', label: t`Last hour` },
  { value: '24', label: t`Last 24 hours` },
  { value: '168', label: t`Last 7 days` },
  { value: '720', label: t`Last 30 days` },
];

export interface PeriodSelectProps {
  /** Hours back from now, as text; empty for any time. */
  readonly value: string;
  readonly onChange: (hours: string) => void;
}

/** Filters a list by time of creation. */
export function PeriodSelect({ value, onChange }: PeriodSelectProps) {
  return (
    <NativeSelect
      aria-label={t`Created`}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={PERIODS}
    />
  );
}
