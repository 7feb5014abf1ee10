import { t } from '@lingui/core/macro';
import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { fieldFault } from '../../api/problem.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { type CredentialsFaults, credentialsFaults, MIN_PASSWORD_LENGTH } from './credentials-fault.js';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

export interface CredentialsFormProps {
  readonly action: string;
  /** Makes password managers suggest a new password instead of filling in a stored one. */
  readonly isNew: boolean;
  /** The initial email address. */
  readonly initialEmail?: string | undefined;
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onSubmit: (credentials: Credentials) => void;
}

/** Email address and password, with the service's errors at each field. */
export function CredentialsForm({
  action,
  isNew,
  initialEmail = '',
  isBusy,
  error,
  onSubmit,
}: CredentialsFormProps) {
  const [email, setEmail] = useState(initialEmail);
  const [password, setPassword] = useState('');
  const [faults, setFaults] = useState<CredentialsFaults>({});
  const form = useRef<HTMLFormElement>(null);
  const faultOf = (name: keyof Credentials) => faults[name] ?? fieldFault(error, name);
  const isExplained = faultOf('email') !== undefined || faultOf('password') !== undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = credentialsFaults(email, password, isNew);
    setFaults(found);
    const [first] = Object.keys(found);
    if (first !== undefined)
      return form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
    onSubmit({ email: email.trim(), password });
  };
  return (
    <form ref={form} noValidate onSubmit={submit}>
      <Stack gap="md">
        {error !== null && !isExplained && Object.keys(faults).length === 0 && <ErrorState error={error} />}
        <TextInput
          label={t`Email address`}
          type="email"
          name="email"
          autoComplete={isNew ? 'email' : 'username'}
          required
          withAsterisk={false}
          // eslint-disable-next-line jsx-a11y/no-autofocus -- this form is the page
          autoFocus
          value={email}
          error={faultOf('email')}
          onChange={(event) => {
            setEmail(event.currentTarget.value);
            setFaults(({ email: _corrected, ...others }) => others);
          }}
        />
        <PasswordInput
          label={t`Password`}
          name="password"
          autoComplete={isNew ? 'new-password' : 'current-password'}
          description={
            isNew ? t`At least ${MIN_PASSWORD_LENGTH} characters. A few random words work well.` : undefined
          }
          required
          withAsterisk={false}
          value={password}
          error={faultOf('password')}
          aria-invalid={faultOf('password') !== undefined}
          onChange={(event) => {
            setPassword(event.currentTarget.value);
            setFaults(({ password: _corrected, ...others }) => others);
          }}
          visibilityToggleButtonProps={{ 'aria-label': t`Show password` }}
        />
        <Button type="submit" loading={isBusy} mt={4}>
          {action}
        </Button>
      </Stack>
    </form>
  );
}
