import { Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { CurrentPasswordField, wrongPassword } from '../../components/fields/current-password-field.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { DialogButtons } from '../../components/dialogs/dialog-buttons.js';

export interface PasswordFormProps {
  /** What the action does. */
  readonly text: string;
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onSubmit: (password: string) => void;
  readonly onCancel: () => void;
}

/** Confirms an action with the password. */
export function PasswordForm(props: PasswordFormProps) {
  const { text, action, isDangerous = false, isBusy, error, onSubmit, onCancel } = props;
  const [password, setPassword] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(password);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {error !== null && wrongPassword(error) === undefined && <ErrorState error={error} />}
        <Text size="sm">{text}</Text>
        <CurrentPasswordField isFirst value={password} error={error} onChange={setPassword} />
        <DialogButtons
          action={action}
          isDangerous={isDangerous}
          isBusy={isBusy}
          isDisabled={password === ''}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  );
}
