import { t } from '@lingui/core/macro';
import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useSuspend } from '../../../../api/operator/accounts.js';
import type { ConsoleAccountDetail } from '../../../../api/operator/schema.js';
import { Dialog } from '../../../../components/dialogs/dialog.js';
import { ErrorState } from '../../../../components/notices/error-state.js';

const MAX_REASON = 300;

export interface SuspendModalProps {
  readonly account: ConsoleAccountDetail;
  readonly onClose: () => void;
}

/** Suspends with a reason that the customer reads. */
export function SuspendModal({ account, onClose }: SuspendModalProps) {
  const [reason, setReason] = useState('');
  const suspend = useSuspend(account.id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    suspend.mutate({ reason: reason.trim() }, { onSuccess: onClose });
  };
  return (
    <Dialog onClose={onClose} title={t`Suspend ${account.email}?`}>
      <form onSubmit={submit}>
        <Stack gap="md">
          {suspend.error !== null && <ErrorState error={suspend.error} />}
          <Text size="sm">
            {t`Requests with its API keys are refused at once, and its user is signed out. Jobs that are running still finish.`}
          </Text>
          <Textarea
            label={t`Reason`}
            description={t`The customer reads it in every refused request and at sign-in.`}
            autosize
            minRows={2}
            maxLength={MAX_REASON}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            data-autofocus
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {t`Cancel`}
            </Button>
            <Button type="submit" color="red.9" loading={suspend.isPending} disabled={reason.trim() === ''}>
              {t`Suspend account`}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
