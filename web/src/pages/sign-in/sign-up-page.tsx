import { Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { Link, useLocation } from 'react-router';
import { ApiError } from 'image-enhancement-client';
import { useSignUp } from '../../api/session/session-actions.js';
import { useSession } from '../../api/session/session.js';
import { Notice } from '../../components/notices/notice.js';
import { AuthFrame } from './auth-frame.js';
import { CredentialsForm } from './credentials-form.js';

export function SignUpPage() {
  const signUp = useSignUp();
  const session = useSession();
  const { search } = useLocation();
  const isClosed = session.data?.signUp === 'closed';
  return (
    <AuthFrame
      title="Create an account"
      description="Free: 50 enhancements a month, 1 GB of storage, one API key."
    >
      {isClosed ? (
        <Notice tone="info" icon={<IconLock size={18} stroke={1.8} />} title="Sign-up is closed">
          Ask the operator of this service for an account.
        </Notice>
      ) : (
        <CredentialsForm
          action="Create account"
          isNew
          isBusy={signUp.isPending}
          error={signUp.error === null ? null : explained(signUp.error)}
          onSubmit={(credentials) => signUp.mutate(credentials)}
        />
      )}
      <Text size="sm" c="dimmed" mt="lg">
        Already have an account? <Link to={`/sign-in${search}`}>Sign in</Link>
      </Text>
    </AuthFrame>
  );
}

/** The service does not tell whether an address is taken; the refusal of the sign-in that follows is put in words for here. */
function explained(error: Error): Error {
  if (!(error instanceof ApiError) || error.code !== 'invalid_credentials') return error;
  const problem = {
    title: "We couldn't create your account",
    detail: 'If you already have an account with this email, sign in instead.',
  };
  return new ApiError({ status: error.status, requestId: null, problem, retryAfterSeconds: null });
}
