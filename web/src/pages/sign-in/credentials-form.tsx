import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { fieldFault } from '../../api/problem.js';
import { ErrorState } from '../../components/notices/error-state.js';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

export interface CredentialsFormProps {
  readonly action: string;
  /** Tells password managers whether to fill in or to suggest. */
  readonly isNew: boolean;
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onSubmit: (credentials: Credentials) => void;
}

/** E-mail address and password, with what the service says about each beside it. */
export function CredentialsForm({ action, isNew, isBusy, error, onSubmit }: CredentialsFormProps) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const faultOf = (name: string) => fieldFault(error, name);
  const isExplained = faultOf('email') !== undefined || faultOf('password') !== undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit({ email: email.trim(), password });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {error !== null && !isExplained && <ErrorState error={error} />}
        <TextInput
          label="E-mail address"
          type="email"
          name="email"
          autoComplete={isNew ? 'email' : 'username'}
          required
          withAsterisk={false}
          // eslint-disable-next-line jsx-a11y/no-autofocus -- this form is the page
          autoFocus
          value={email}
          error={faultOf('email')}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete={isNew ? 'new-password' : 'current-password'}
          description={isNew ? 'At least 12 characters. A few random words work well.' : undefined}
          required
          withAsterisk={false}
          minLength={isNew ? 12 : undefined}
          value={password}
          error={faultOf('password')}
          aria-invalid={faultOf('password') !== undefined}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
        />
        <Button type="submit" loading={isBusy} mt={4}>
          {action}
        </Button>
      </Stack>
    </form>
  );
}
