import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ApiError } from 'image-enhancement-client';
import { problemOf } from '../../api/problem.js';
import { useDeleteAccount } from '../../api/session/session-actions.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { Dialog } from '../../components/dialogs/dialog.js';

export interface DeleteAccountModalProps {
  /** The address of the user, or the name of the organization. */
  readonly name: string;
  readonly isOrganization: boolean;
  readonly onClose: () => void;
}

/** Only with the address typed out and the password: no slip of the hand erases everything. */
export function DeleteAccountModal({ name, isOrganization, onClose }: DeleteAccountModalProps) {
  const [confirmation, setConfirmation] = useState('');
  const [password, setPassword] = useState('');
  const remove = useDeleteAccount(isOrganization ? '/' : '/sign-up');
  const problem = remove.error instanceof ApiError ? remove.error : null;
  const wrong = problem?.code === 'wrong_password' ? problemOf(problem).detail : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    remove.mutate({ password, confirmation });
  };
  return (
    <Dialog onClose={onClose} title={isOrganization ? t`Delete this organization?` : t`Delete your account?`}>
      <form onSubmit={submit}>
        <Stack gap="md">
          {remove.error !== null && wrong === undefined && <ErrorState error={remove.error} />}
          <Text size="sm">
            <Trans>
              This permanently deletes <b>{name}</b> with all its data. Its API keys stop working immediately.
            </Trans>
          </Text>
          <TextInput
            label={isOrganization ? t`Type its name to confirm` : t`Type your email address to confirm`}
            autoComplete="off"
            data-autofocus
            value={confirmation}
            onChange={(event) => setConfirmation(event.currentTarget.value)}
          />
          <PasswordInput
            label={t`Password`}
            autoComplete="current-password"
            value={password}
            error={wrong}
            aria-invalid={wrong !== undefined}
            onChange={(event) => setPassword(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': t`Show password` }}
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {t`Cancel`}
            </Button>
            <Button
              type="submit"
              color="red.9"
              loading={remove.isPending}
              disabled={confirmation.trim() !== name || password === ''}
            >
              {isOrganization ? t`Delete organization` : t`Delete account`}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
