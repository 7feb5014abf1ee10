import { t } from '@lingui/core/macro';
import { Button, Stack } from '@mantine/core';
import { Link } from 'react-router';
import { useAcceptInvitation } from '../../api/members/invitations.js';
import type { InvitationPreview, Session } from '../../api/schema.js';
import { useSignOut } from '../../api/session/session-actions.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { Notice } from '../../components/notices/notice.js';
import { forgetInvitationToken } from '../../lib/invitation-token.js';
import { InvitationFault } from './invitation-fault.js';

/** After signing in, the user returns here, because this tab has the token. */
const NEXT = '?next=/invitation';

export interface InvitationAnswerProps {
  readonly token: string;
  readonly invitation: InvitationPreview;
  readonly session: Session;
}

/** The actions for the invitation that are available to the current visitor. */
export function InvitationAnswer({ token, invitation, session }: InvitationAnswerProps) {
  const { user, signUp } = session;
  if (user === null) return <SignInFirst email={invitation.email} isSignUpOpen={signUp === 'open'} />;
  if (user.email.toLowerCase() !== invitation.email.toLowerCase())
    return <OtherUser email={invitation.email} own={user.email} />;
  return <Accept token={token} organization={invitation.organization} />;
}

interface SignInFirstProps {
  readonly email: string;
  readonly isSignUpOpen: boolean;
}

function SignInFirst({ email, isSignUpOpen }: SignInFirstProps) {
  return (
    <Stack gap="sm">
      {isSignUpOpen && (
        <Button component={Link} to={`/sign-up${NEXT}`} state={{ email }}>
          {t`Create an account`}
        </Button>
      )}
      <Button
        component={Link}
        to={`/sign-in${NEXT}`}
        state={{ email }}
        variant={isSignUpOpen ? 'default' : 'filled'}
      >
        {t`Sign in`}
      </Button>
      {!isSignUpOpen && (
        <Notice tone="info">{t`Sign-up is closed. If you don't have an account, ask the operator of this service for one.`}</Notice>
      )}
    </Stack>
  );
}

interface OtherUserProps {
  readonly email: string;
  readonly own: string;
}

function OtherUser({ email, own }: OtherUserProps) {
  const signOut = useSignOut('/invitation');
  return (
    <Stack gap="sm">
      <Notice tone="warn" title={t`This invitation is for ${email}`}>
        {t`You are signed in as ${own}. Sign out, then sign in with the invited address.`}
      </Notice>
      {signOut.error !== null && <ErrorState error={signOut.error} />}
      <Button loading={signOut.isPending || signOut.isSuccess} onClick={() => signOut.mutate()}>
        {t`Sign out`}
      </Button>
      <Button component={Link} to="/" variant="default">
        {t`Open the dashboard`}
      </Button>
    </Stack>
  );
}

interface AcceptProps {
  readonly token: string;
  readonly organization: string;
}

function Accept({ token, organization }: AcceptProps) {
  const accept = useAcceptInvitation();
  return (
    <Stack gap="sm">
      {accept.error !== null && <InvitationFault error={accept.error} />}
      <Button
        loading={accept.isPending || accept.isSuccess}
        onClick={() => accept.mutate(token, { onSuccess: forgetInvitationToken })}
        style={{ height: 'auto', minHeight: 36 }}
        styles={{ label: { whiteSpace: 'normal', overflowWrap: 'anywhere' } }}
      >
        {t`Join ${organization}`}
      </Button>
      <Button component={Link} to="/" variant="default">
        {t`Not now`}
      </Button>
    </Stack>
  );
}
