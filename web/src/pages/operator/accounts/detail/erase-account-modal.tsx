import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { useEraseAccount } from '../../../../api/operator/accounts.js';
import type { ConsoleAccountDetail } from '../../../../api/operator/schema.js';
import { Dialog } from '../../../../components/dialogs/dialog.js';
import { DialogButtons } from '../../../../components/dialogs/dialog-buttons.js';
import { ErrorState } from '../../../../components/notices/error-state.js';

export interface EraseAccountModalProps {
  readonly account: ConsoleAccountDetail;
  readonly onClose: () => void;
}

/** Requires the typed-out address, or the name of the organization. */
export function EraseAccountModal({ account, onClose }: EraseAccountModalProps) {
  const [confirmation, setConfirmation] = useState('');
  const erase = useEraseAccount(account.id);
  const navigate = useNavigate();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    erase.mutate(
      { confirmation },
      { onSuccess: () => void navigate('/operator/accounts', { replace: true }) },
    );
  };
  const { name } = account;
  const isOrganization = name !== account.email;
  return (
    <Dialog onClose={onClose} title={t`Delete this account?`}>
      <form onSubmit={submit}>
        <Stack gap="md">
          {erase.error !== null && <ErrorState error={erase.error} />}
          <Text size="sm">
            <Trans>
              This permanently deletes <b>{name}</b> with all its data. Its API keys stop working immediately.
              This can't be undone.
            </Trans>
          </Text>
          <TextInput
            label={
              isOrganization
                ? t`Type its name to confirm`
                : t`Type the email address of the account to confirm`
            }
            autoComplete="off"
            data-autofocus
            value={confirmation}
            onChange={(event) => setConfirmation(event.currentTarget.value)}
          />
          <DialogButtons
            action={t`Delete account`}
            isDangerous
            isBusy={erase.isPending}
            isDisabled={confirmation.trim().toLowerCase() !== name.toLowerCase()}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  );
}
