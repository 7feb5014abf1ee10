import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { Link, useLocation } from 'react-router';
import { ApiError } from 'image-enhancement-client';
import { useSignUp } from '../../api/session/session-actions.js';
import { useSession } from '../../api/session/session.js';
import { Notice } from '../../components/notices/notice.js';
import { AuthFrame } from './auth-frame.js';
import { givenEmail } from '../../lib/given-email.js';
import { CredentialsForm } from './credentials-form.js';
import { SecondStep } from './second-step.js';

export function SignUpPage() {
  const signUp = useSignUp();
  const session = useSession();
  const { search, state } = useLocation();
  const isClosed = session.data?.signUp === 'closed';
  if (signUp.data?.secondFactorRequired) return <SecondStep onRestart={() => signUp.reset()} />;
  return (
    <AuthFrame
      title={t`Create an account`}
      description={t`Free: 50 enhancements a month, 1 GB of storage, one API key.`}
    >
      {isClosed ? (
        <Notice tone="info" icon={<IconLock size={18} stroke={1.8} />} title={t`Sign-up is closed`}>
          {t`Ask the operator of this service for an account.`}
        </Notice>
      ) : (
        <CredentialsForm
          action={t`Create account`}
          isNew
          initialEmail={givenEmail(state)}
          isBusy={signUp.isPending}
          error={signUp.error === null ? null : explained(signUp.error)}
          onSubmit={(credentials) => signUp.mutate(credentials)}
        />
      )}
      <Text size="sm" c="dimmed" mt="lg">
        <Trans>
          Already have an account?{' '}
          <Link to={`/sign-in${search}`} state={state}>
            Sign in
          </Link>
        </Trans>
      </Text>
    </AuthFrame>
  );
}

/**
 * The service does not reveal whether an address is taken. If the sign-in that follows fails, this adapts its error
 * message to the sign-up page.
 */
function explained(error: Error): Error {
  if (!(error instanceof ApiError) || error.code !== 'invalid_credentials') return error;
  const problem = {
    title: t`We couldn't create your account`,
    detail: t`If you already have an account with this email, sign in instead.`,
  };
  return new ApiError({ status: error.status, requestId: null, problem, retryAfterSeconds: null });
}
