import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useDeleteAccount } from '../../api/session/session-actions.js';
import { CurrentPasswordField, wrongPassword } from '../../components/fields/current-password-field.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import { DialogButtons } from '../../components/dialogs/dialog-buttons.js';

export interface DeleteAccountModalProps {
  /** The address of the user, or the name of the organization. */
  readonly name: string;
  readonly isOrganization: boolean;
  readonly onClose: () => void;
}

/** Requires the typed-out name and the password, so that nobody deletes an account by accident. */
export function DeleteAccountModal({ name, isOrganization, onClose }: DeleteAccountModalProps) {
  const [confirmation, setConfirmation] = useState('');
  const [password, setPassword] = useState('');
  const remove = useDeleteAccount(isOrganization ? '/' : '/sign-in?step=deleted');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    remove.mutate({ password, confirmation });
  };
  return (
    <Dialog onClose={onClose} title={isOrganization ? t`Delete this organization?` : t`Delete your account?`}>
      <form onSubmit={submit}>
        <Stack gap="md">
          {remove.error !== null && wrongPassword(remove.error) === undefined && (
            <ErrorState error={remove.error} />
          )}
          <Text size="sm">
            <Trans>
              This permanently deletes <b>{name}</b> with all its data. Its API keys and running jobs stop
              immediately.
            </Trans>
          </Text>
          <TextInput
            label={isOrganization ? t`Type its name to confirm` : t`Type your email address to confirm`}
            autoComplete="off"
            data-autofocus
            value={confirmation}
            onChange={(event) => setConfirmation(event.currentTarget.value)}
          />
          <CurrentPasswordField value={password} error={remove.error} onChange={setPassword} />
          <DialogButtons
            action={isOrganization ? t`Delete organization` : t`Delete account`}
            isDangerous
            isBusy={remove.isPending}
            isDisabled={confirmation.trim() !== name || password === ''}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  );
}
