import { t } from '@lingui/core/macro';
import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ApiError } from 'image-enhancement-client';
import { problemOf } from '../../api/problem.js';
import { ErrorState } from '../../components/notices/error-state.js';

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
  const problem = error instanceof ApiError ? error : null;
  const wrong = problem?.code === 'wrong_password' ? problemOf(problem).detail : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(password);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {error !== null && wrong === undefined && <ErrorState error={error} />}
        <Text size="sm">{text}</Text>
        <PasswordInput
          label={t`Password`}
          autoComplete="current-password"
          data-autofocus
          value={password}
          error={wrong}
          aria-invalid={wrong !== undefined}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': t`Show password` }}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel}>
            {t`Cancel`}
          </Button>
          <Button
            type="submit"
            loading={isBusy}
            disabled={password === ''}
            {...(isDangerous && { color: 'red.9' })}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
