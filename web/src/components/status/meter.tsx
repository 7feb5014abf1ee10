import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Text } from '@mantine/core';
import classes from './meter.module.css';

const NEARLY = 0.8;

export interface MeterProps {
  readonly label: string;
  readonly value: number;
  readonly limit: number;
  /** Formats a number, as a count or as bytes. */
  readonly format: (value: number) => string;
  /** A line below the meter, for example with the time of the reset. */
  readonly note?: string;
}

/** Shows how much of a limit is used, as text and as a bar. */
export function Meter({ label, value, limit, format, note }: MeterProps) {
  const share = limit > 0 ? Math.min(1, value / limit) : 1;
  const level = share >= 1 ? 'full' : share >= NEARLY ? 'nearly' : 'fine';
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={6}>
        <Text size="sm" fw={500} className={classes['label'] ?? ''}>
          {label}
        </Text>
        <Text size="sm" className={classes['numbers']}>
          <Trans>
            <b>{format(value)}</b> of {format(limit)}
          </Trans>
        </Text>
      </Group>
      <div
        className={classes['track']}
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={Math.min(value, limit)}
        aria-valuetext={t`${format(value)} of ${format(limit)}`}
      >
        <div className={classes['bar']} data-level={level} style={{ width: `${share * 100}%` }} />
      </div>
      {note !== undefined && (
        <Text size="xs" c="dimmed" mt={6}>
          {note}
        </Text>
      )}
    </div>
  );
}
