import { Text } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import { useSignIn } from '../../api/session/session-actions.js';
import { useSession } from '../../api/session/session.js';
import { AuthFrame } from './auth-frame.js';
import { CredentialsForm } from './credentials-form.js';

export function SignInPage() {
  const signIn = useSignIn();
  const session = useSession();
  const { search } = useLocation();
  return (
    <AuthFrame title="Sign in" description="Enhance photos and manage jobs, keys and webhooks.">
      <CredentialsForm
        action="Sign in"
        isNew={false}
        isBusy={signIn.isPending}
        error={signIn.error}
        onSubmit={(credentials) => signIn.mutate(credentials)}
      />
      <Text size="sm" c="dimmed" mt="lg" mih={22}>
        {session.data?.signUp !== 'closed' && (
          <>
            Don't have an account? <Link to={`/sign-up${search}`}>Create one</Link>
          </>
        )}
      </Text>
    </AuthFrame>
  );
}
