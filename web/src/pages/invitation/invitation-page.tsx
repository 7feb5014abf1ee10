import { t } from '@lingui/core/macro';
import { Button, Stack } from '@mantine/core';
import { useMemo } from 'react';
import { Link, useLocation } from 'react-router';
import { useInvitationPreview } from '../../api/members/invitations.js';
import { useSession } from '../../api/session/session.js';
import { Loading } from '../../components/notices/loading.js';
import { Notice } from '../../components/notices/notice.js';
import { invitationToken } from '../../lib/invitation-token.js';
import { AuthFrame } from '../sign-in/auth-frame.js';
import { InvitationAnswer } from './invitation-answer.js';
import { InvitationFacts } from './invitation-facts.js';
import { InvitationFault } from './invitation-fault.js';

/** The target of an invitation link, for signed-in and signed-out users. */
export function InvitationPage() {
  const { hash } = useLocation();
  // Kept until another link is opened: it is removed from the storage once the invitation was answered.
  const token = useMemo(() => invitationToken(hash), [hash]);
  const session = useSession();
  const preview = useInvitationPreview(token);
  const error = preview.error ?? session.error;
  const retry = () => void (preview.isError ? preview.refetch() : session.refetch());
  return (
    <AuthFrame
      title={t`Invitation`}
      description={t`Join an organization to work with its images, jobs and keys.`}
    >
      <Stack gap="lg">
        {token === undefined && (
          <Notice tone="warn" title={t`This link is incomplete`}>
            {t`Copy the entire link from the email or message, and open it again.`}
          </Notice>
        )}
        {token !== undefined && error === null && (preview.isPending || session.isPending) && (
          <Loading height={150} />
        )}
        {error !== null && <InvitationFault error={error} onRetry={retry} />}
        {(token === undefined || error !== null) && (
          <Button component={Link} to="/" variant="default">
            {session.data?.account ? t`Open the dashboard` : t`Sign in`}
          </Button>
        )}
        {token !== undefined && error === null && preview.isSuccess && session.isSuccess && (
          <>
            <InvitationFacts invitation={preview.data} />
            <InvitationAnswer key={token} token={token} invitation={preview.data} session={session.data} />
          </>
        )}
      </Stack>
    </AuthFrame>
  );
}
