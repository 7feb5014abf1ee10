import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Text } from '@mantine/core';
import classes from './meter.module.css';

const NEARLY = 0.8;

export interface MeterProps {
  readonly label: string;
  readonly value: number;
  readonly limit: number;
  /** How a number is written: a count, bytes. */
  readonly format: (value: number) => string;
  /** A line below, for instance when it begins anew. */
  readonly note?: string;
}

/** How much of a limit is used, in words and as a bar. */
export function Meter({ label, value, limit, format, note }: MeterProps) {
  const share = limit > 0 ? Math.min(1, value / limit) : 1;
  const level = share >= 1 ? 'full' : share >= NEARLY ? 'nearly' : 'fine';
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={6}>
        <Text size="sm" fw={500}>
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
