import { NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { DEFAULT_OVERLAP, OVERLAPS } from '../../lib/overlaps.js';
import { ErrorState } from '../notices/error-state.js';
import { DialogButtons } from './dialog-buttons.js';

export interface RotateFormProps {
  readonly text: string;
  /** For example "Keep the old key working for". */
  readonly keepLabel: string;
  readonly action: string;
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onSubmit: (overlapSeconds: number) => void;
  readonly onCancel: () => void;
}

/** Asks how long the old key or secret stays valid. */
export function RotateForm({ text, keepLabel, action, isBusy, error, onSubmit, onCancel }: RotateFormProps) {
  const [overlap, setOverlap] = useState<string>(DEFAULT_OVERLAP);
  return (
    <Stack gap="md">
      {error !== null && <ErrorState error={error} />}
      <Text size="sm">{text}</Text>
      <NativeSelect
        label={keepLabel}
        data-autofocus
        value={overlap}
        onChange={(event) => setOverlap(event.currentTarget.value)}
        data={[...OVERLAPS]}
      />
      <DialogButtons
        action={action}
        isBusy={isBusy}
        onConfirm={() => onSubmit(Number(overlap))}
        onCancel={onCancel}
      />
    </Stack>
  );
}
