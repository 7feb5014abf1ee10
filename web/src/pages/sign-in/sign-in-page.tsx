import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import { Link, useLocation, useSearchParams } from 'react-router';
import { useSignIn } from '../../api/session/session-actions.js';
import { useSession } from '../../api/session/session.js';
import { Notice } from '../../components/notices/notice.js';
import { AuthFrame } from './auth-frame.js';
import { givenEmail } from '../../lib/given-email.js';
import { nextPath } from './next-path.js';
import { CredentialsForm } from './credentials-form.js';
import { PasskeyButton } from './passkey-button.js';
import { ProviderLink } from './provider-link.js';
import { ProviderNotice } from './provider-notice.js';
import { SecondStep } from './second-step.js';

export function SignInPage() {
  const signIn = useSignIn();
  const session = useSession();
  const { search, state } = useLocation();
  const [parameters, setParameters] = useSearchParams();
  const isHalfSignedIn = parameters.get('step') === 'code';
  const restart = () => {
    signIn.reset();
    if (isHalfSignedIn) setParameters({ next: nextPath(parameters) });
  };
  if (isHalfSignedIn || signIn.data?.secondFactorRequired) return <SecondStep onRestart={restart} />;
  const provider = session.data?.oidcName ?? null;
  return (
    <AuthFrame title={t`Sign in`} description={t`Enhance photos and manage jobs, keys and webhooks.`}>
      <Stack gap="md">
        {parameters.get('step') === 'deleted' && (
          <Notice tone="good" role="status" title={t`Account deleted`}>
            {t`Your account was deleted with all its data.`}
          </Notice>
        )}
        {provider !== null && <ProviderNotice name={provider} parameters={parameters} />}
        <CredentialsForm
          action={t`Sign in`}
          isNew={false}
          initialEmail={givenEmail(state)}
          isBusy={signIn.isPending}
          error={signIn.error}
          onSubmit={(credentials) => signIn.mutate(credentials)}
        />
      </Stack>
      <PasskeyButton />
      {provider !== null && <ProviderLink name={provider} next={nextPath(parameters)} />}
      <Text size="sm" c="dimmed" mt="lg" mih={22}>
        {session.data?.sendsMail === false ? (
          <Trans>
            Forgot your password? Ask the operator of this service for a link to choose a new one.
          </Trans>
        ) : (
          <Link to="/forgot-password">{t`Forgot your password?`}</Link>
        )}
      </Text>
      <Text size="sm" c="dimmed" mt="xs" mih={22}>
        {session.data?.signUp !== 'closed' && (
          <>
            <Trans>
              Don't have an account?{' '}
              <Link to={`/sign-up${search}`} state={state}>
                Create one
              </Link>
            </Trans>
          </>
        )}
      </Text>
    </AuthFrame>
  );
}
