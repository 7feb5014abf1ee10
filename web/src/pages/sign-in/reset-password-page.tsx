import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { ApiError } from 'image-enhancement-client';
import { fieldFault } from '../../api/problem.js';
import { useResetPassword } from '../../api/session/password-reset.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { Notice } from '../../components/notices/notice.js';
import { AuthFrame } from './auth-frame.js';
import { MIN_PASSWORD_LENGTH, passwordFault } from './credentials-fault.js';

/** The target of the link in the email. The token is behind `#`, so the browser does not send it to the server. */
export function ResetPasswordPage() {
  const token = useLocation().hash.slice(1);
  // Another link in the same tab starts over.
  return <ResetPassword key={token} token={token} />;
}

function ResetPassword({ token }: { readonly token: string }) {
  const reset = useResetPassword();
  const isDead = token === '' || (reset.error instanceof ApiError && reset.error.code === 'link_not_valid');
  return (
    <AuthFrame
      title={t`Choose a new password`}
      description={t`You'll be signed out on all devices, and can then sign in with the new password.`}
    >
      {reset.isSuccess && <Done />}
      {isDead && <DeadLink />}
      {!reset.isSuccess && !isDead && <Form token={token} reset={reset} />}
    </AuthFrame>
  );
}

function Done() {
  return (
    <Stack gap="md">
      <Notice tone="good" role="status" title={t`Password changed`}>
        <Text size="sm">{t`All devices were signed out.`}</Text>
      </Notice>
      <Button component={Link} to="/sign-in">
        {t`Sign in`}
      </Button>
    </Stack>
  );
}

function DeadLink() {
  return (
    <Notice tone="bad" role="alert" title={t`This link doesn't work`}>
      <Text size="sm">
        <Trans>
          It has expired, has already been used, or is incomplete.{' '}
          <Link to="/forgot-password">Get a new link</Link>
        </Trans>
      </Text>
    </Notice>
  );
}

interface FormProps {
  readonly token: string;
  readonly reset: ReturnType<typeof useResetPassword>;
}

function Form({ token, reset }: FormProps) {
  const [newPassword, setNew] = useState('');
  const [fault, setFault] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = passwordFault(newPassword, true).password;
    setFault(found);
    if (found === undefined) reset.mutate({ token, newPassword });
  };
  const shown = fault ?? fieldFault(reset.error, 'newPassword');
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="md">
        {reset.error !== null && shown === undefined && <ErrorState error={reset.error} />}
        <PasswordInput
          label={t`New password`}
          name="newPassword"
          autoComplete="new-password"
          description={t`At least ${MIN_PASSWORD_LENGTH} characters. A few random words work well.`}
          required
          withAsterisk={false}
          // eslint-disable-next-line jsx-a11y/no-autofocus -- this form is the page
          autoFocus
          value={newPassword}
          error={shown}
          aria-invalid={shown !== undefined}
          onChange={(event) => {
            setNew(event.currentTarget.value);
            setFault(undefined);
          }}
          visibilityToggleButtonProps={{ 'aria-label': t`Show password` }}
        />
        <Button type="submit" loading={reset.isPending} mt={4}>
          {t`Change password`}
        </Button>
      </Stack>
    </form>
  );
}
