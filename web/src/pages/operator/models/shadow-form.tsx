import { t } from '@lingui/core/macro';
import { Stack, Text, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { useSetShadow } from '../../../api/operator/models.js';
import type { Shadow } from '../../../api/operator/schema.js';
import { DialogButtons } from '../../../components/dialogs/dialog-buttons.js';
import { Dialog } from '../../../components/dialogs/dialog.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { isPercent } from './percent.js';

export interface ShadowFormProps {
  readonly operation: string;
  readonly version: number;
  /** Undefined to start a new shadow. */
  readonly current?: Shadow;
  readonly onClose: () => void;
}

const FIRST_PERCENT = 10;

/** Asks for the percentage of jobs that a version also runs. */
export function ShadowForm({ operation, version, current, onClose }: ShadowFormProps) {
  const set = useSetShadow(operation);
  const [percent, setPercent] = useState(String(current?.percent ?? FIRST_PERCENT));
  const isValid = isPercent(percent);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (isValid) set.mutate({ version, percent: Number(percent) }, { onSuccess: onClose });
  };
  return (
    <Dialog
      onClose={onClose}
      title={
        current === undefined
          ? t`Compare version ${version} with the one that serves?`
          : t`Change the share of the shadow run`
      }
    >
      <form onSubmit={submit}>
        <Stack gap="md">
          {set.isError && <ErrorState error={set.error} />}
          <Text size="sm">
            {t`After a job is finished, a worker with nothing else to do runs it again on both versions and compares the results. Customers notice nothing and pay nothing. The results are not stored.`}
          </Text>
          <TextInput
            label={t`Percentage of jobs`}
            inputMode="numeric"
            value={percent}
            onChange={(event) => setPercent(event.currentTarget.value.trim())}
            error={isValid ? null : t`Enter a whole number from 1 to 100.`}
            data-autofocus
          />
          <DialogButtons
            action={current === undefined ? t`Start shadow run` : t`Change share`}
            isBusy={set.isPending}
            isDisabled={!isValid}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  );
}
