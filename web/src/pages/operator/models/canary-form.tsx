import { t } from '@lingui/core/macro';
import { NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { useSetCanary } from '../../../api/operator/models.js';
import type { Canary } from '../../../api/operator/schema.js';
import { Dialog } from '../../../components/dialogs/dialog.js';
import { DialogButtons } from '../../../components/dialogs/dialog-buttons.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { isPercent } from './percent.js';

export interface CanaryFormProps {
  readonly operation: string;
  readonly version: number;
  /** Undefined to start a new canary. */
  readonly current?: Canary;
  readonly onClose: () => void;
}

const FIRST_PERCENT = 5;

/** Asks for the percentage of customers that get a version. */
export function CanaryForm({ operation, version, current, onClose }: CanaryFormProps) {
  const set = useSetCanary(operation);
  const [percent, setPercent] = useState(String(current?.percent ?? FIRST_PERCENT));
  const [by, setBy] = useState<Canary['by']>(current?.by ?? 'account');
  const isValid = isPercent(percent);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (isValid) set.mutate({ version, percent: Number(percent), by }, { onSuccess: onClose });
  };
  return (
    <Dialog
      onClose={onClose}
      title={
        current === undefined
          ? t`Give version ${version} to some customers?`
          : t`Change the share of the canary`
      }
    >
      <form onSubmit={submit}>
        <Stack gap="md">
          {set.isError && <ErrorState error={set.error} />}
          <Text size="sm">
            {t`The same customer always gets the same version. A larger share adds customers. The others keep the version that serves now, even if a higher one is added.`}
          </Text>
          <TextInput
            label={t`Percentage of customers`}
            inputMode="numeric"
            value={percent}
            onChange={(event) => setPercent(event.currentTarget.value.trim())}
            error={isValid ? null : t`Enter a whole number from 1 to 100.`}
            data-autofocus
          />
          <NativeSelect
            label={t`Customers are chosen by`}
            value={by}
            onChange={(event) => setBy(event.currentTarget.value === 'key' ? 'key' : 'account')}
            data={[
              { value: 'account', label: t`Account` },
              { value: 'key', label: t`API key` },
            ]}
          />
          <DialogButtons
            action={current === undefined ? t`Start canary` : t`Change share`}
            isBusy={set.isPending}
            isDisabled={!isValid}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  );
}
