import { t } from '@lingui/core/macro';
import { NativeSelect, Stack, TextInput } from '@mantine/core';
import { formatDateTime } from '../../lib/format.js';
import { CUSTOM, EXPIRIES } from './expiry.js';

/** Leaves the expiry unchanged. */
export const KEEP = 'keep';

export interface ExpiryFieldProps {
  /** The current expiry of the key; null for never, undefined for a new key. */
  readonly current: string | null | undefined;
  readonly value: string;
  /** `2026-12-31`, for a custom date. */
  readonly day: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
  readonly onDay: (day: string) => void;
}

/** Selects the expiry of a key: a period, or a custom date. */
export function ExpiryField({ current, value, day, error, onChange, onDay }: ExpiryFieldProps) {
  const isCustom = value === CUSTOM;
  return (
    <Stack gap="xs">
      <NativeSelect
        label={t`Expires`}
        value={value}
        error={isCustom ? undefined : error}
        onChange={(event) => onChange(event.currentTarget.value)}
        data={[
          ...(current ? [{ value: KEEP, label: t`Unchanged: ${formatDateTime(current)}` }] : []),
          ...EXPIRIES.map((expiry) => ({ value: expiry.value, label: expiry.label })),
          { value: CUSTOM, label: t`On a date…` },
        ]}
      />
      {isCustom && (
        <TextInput
          type="date"
          label={t`Last day`}
          description={t`Works until the end of this day in your time zone.`}
          value={day}
          error={error}
          onChange={(event) => onDay(event.currentTarget.value)}
        />
      )}
    </Stack>
  );
}
