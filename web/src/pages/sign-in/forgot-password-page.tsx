import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import { fieldFault } from '../../api/problem.js';
import { useRequestPasswordReset } from '../../api/session/password-reset.js';
import { useSession } from '../../api/session/session.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { Notice } from '../../components/notices/notice.js';
import { AuthFrame } from './auth-frame.js';
import { emailFault } from './credentials-fault.js';

/** Sends a link to choose a new password. */
export function ForgotPasswordPage() {
  const reset = useRequestPasswordReset();
  const session = useSession();
  return (
    <AuthFrame
      title={t`Forgot your password?`}
      description={t`Enter your email address, and we'll send you a link to choose a new one.`}
    >
      {session.data?.sendsMail === false ? (
        <Notice tone="info" title={t`This service doesn't send email`}>
          <Text size="sm">{t`Ask its operator for a link to choose a new password.`}</Text>
        </Notice>
      ) : (
        <Form reset={reset} />
      )}
      <Text size="sm" c="dimmed" mt="lg">
        <Link to="/sign-in">{t`Back to sign-in`}</Link>
      </Text>
    </AuthFrame>
  );
}

function Form({ reset }: { readonly reset: ReturnType<typeof useRequestPasswordReset> }) {
  const [email, setEmail] = useState('');
  const [fault, setFault] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = emailFault(email.trim()).email;
    setFault(found);
    if (found === undefined) reset.mutate({ email: email.trim() });
  };
  const shown = fault ?? fieldFault(reset.error, 'email');
  const sentTo = reset.isSuccess ? reset.variables.email : undefined;
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="md">
        {sentTo !== undefined && (
          <Notice tone="good" role="status" title={t`Check your inbox`}>
            <Text size="sm">
              <Trans>
                If {sentTo} has an account, a link is on its way. It works for one hour. If nothing arrives,
                look in your spam folder.
              </Trans>
            </Text>
          </Notice>
        )}
        {reset.error !== null && shown === undefined && <ErrorState error={reset.error} />}
        <TextInput
          label={t`Email address`}
          type="email"
          name="email"
          autoComplete="username"
          required
          withAsterisk={false}
          // eslint-disable-next-line jsx-a11y/no-autofocus -- this form is the page
          autoFocus
          value={email}
          error={shown}
          onChange={(event) => {
            setEmail(event.currentTarget.value);
            setFault(undefined);
          }}
        />
        <Button
          type="submit"
          variant={sentTo === undefined ? 'filled' : 'default'}
          loading={reset.isPending}
          mt={4}
        >
          {sentTo === undefined ? t`Send link` : t`Send another link`}
        </Button>
      </Stack>
    </form>
  );
}
