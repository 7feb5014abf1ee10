import { t } from '@lingui/core/macro';
import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useSignInAs } from '../../../../api/operator/accounts.js';
import type { ConsoleAccountDetail } from '../../../../api/operator/schema.js';
import { Dialog } from '../../../../components/dialogs/dialog.js';
import { ErrorState } from '../../../../components/notices/error-state.js';

const MAX_REASON = 300;

export interface SignInAsModalProps {
  readonly account: ConsoleAccountDetail;
  readonly onClose: () => void;
}

/** Asks for the reason, which the customer can read in the log of the account. */
export function SignInAsModal({ account, onClose }: SignInAsModalProps) {
  const [reason, setReason] = useState('');
  const signIn = useSignInAs(account.id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate({ reason: reason.trim() });
  };
  return (
    <Dialog onClose={onClose} title={t`Sign in as ${account.email}`}>
      <form onSubmit={submit}>
        <Stack gap="md">
          {signIn.error !== null && <ErrorState error={signIn.error} />}
          <Text size="sm">
            {t`You see the dashboard of this customer, photos included, for up to an hour. You cannot change anything. Start and end are recorded in the activity of the account.`}
          </Text>
          <Textarea
            label={t`Reason`}
            description={t`The customer can read it in the activity of the account.`}
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
            <Button type="submit" loading={signIn.isPending} disabled={reason.trim() === ''}>
              {t`Sign in`}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
