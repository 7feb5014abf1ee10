import { t } from '@lingui/core/macro';
import { NativeSelect } from '@mantine/core';
import { operationLabel } from '../../lib/format.js';

export interface OperationSelectProps {
  readonly operations: readonly string[];
  /** Empty for any operation. */
  readonly value: string;
  readonly onChange: (operation: string) => void;
}

/** Filters a list by operation. */
export function OperationSelect({ operations, value, onChange }: OperationSelectProps) {
  return (
    <NativeSelect
      aria-label={t`Operation`}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[
        { value: '', label: t`Any operation` },
        ...operations.map((operation) => ({ value: operation, label: operationLabel(operation) })),
      ]}
    />
  );
}
