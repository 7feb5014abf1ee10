import { t } from '@lingui/core/macro';
import { Button, DataList, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { Link, useLocation } from 'react-router';
import { ApiError } from 'image-enhancement-client';
import { useCompleteEmailChange, useEmailChangePreview } from '../../api/session/email-change.js';
import { useSignOut } from '../../api/session/session-actions.js';
import { useSession } from '../../api/session/session.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { Loading } from '../../components/notices/loading.js';
import { Notice } from '../../components/notices/notice.js';
import { forgetLinkToken, linkToken } from '../../lib/link-token.js';
import { AuthFrame } from './auth-frame.js';

const PAGE = '/change-email';
const KEY = 'change-email';

/** For addresses that are longer than a line. */
const ANYWHERE = { overflowWrap: 'anywhere', minWidth: 0 } as const;

/** The target of the link in the email to a new address. Only the user who asked for it can use it, when signed in. */
export function ChangeEmailPage() {
  const { hash } = useLocation();
  const token = useMemo(() => linkToken(KEY, hash), [hash]);
  const session = useSession();
  return (
    <AuthFrame title={t`Your new email address`} description={t`This page changes your email address.`}>
      {token === undefined && <DeadLink />}
      {token !== undefined && session.isPending && <Loading height={80} />}
      {token !== undefined && session.isLoadingError && (
        <ErrorState error={session.error} onRetry={() => void session.refetch()} />
      )}
      {token !== undefined &&
        session.data !== undefined &&
        (session.data.user === null ? (
          <SignInFirst />
        ) : (
          <Confirm key={token} token={token} email={session.data.user.email} />
        ))}
    </AuthFrame>
  );
}

function SignInFirst() {
  return (
    <Stack gap="md">
      <Text size="sm">{t`Sign in with your current email address first. Then you return to this page.`}</Text>
      <Button component={Link} to={`/sign-in?next=${PAGE}`}>
        {t`Sign in`}
      </Button>
    </Stack>
  );
}

function DeadLink() {
  return (
    <Stack gap="md">
      <Notice tone="bad" role="alert" title={t`This link doesn't work`}>
        <Text size="sm">
          {t`It has expired, has already been used, was replaced by a newer one, or is incomplete.`}
        </Text>
      </Notice>
      <Button component={Link} to="/account" variant="default">
        {t`Open the account page`}
      </Button>
    </Stack>
  );
}

interface ConfirmProps {
  readonly token: string;
  /** The current address. */
  readonly email: string;
}

function Confirm({ token, email }: ConfirmProps) {
  const preview = useEmailChangePreview(token);
  const change = useCompleteEmailChange();
  // The link no longer works once it was used, whatever the preview says then.
  if (change.data?.user) return <Done email={change.data.user.email} />;
  const error = change.error ?? preview.error;
  const code = error instanceof ApiError ? error.code : undefined;
  if (code === 'link_not_valid') return <DeadLink />;
  if (code === 'link_for_other_user') return <OtherUser email={email} />;
  if (preview.isPending) return <Loading height={120} />;
  const complete = () => change.mutate({ token }, { onSuccess: () => forgetLinkToken(KEY) });
  return (
    <Stack gap="md">
      {preview.data !== undefined && <Addresses from={email} to={preview.data.email} />}
      {error !== null && (
        <ErrorState error={error} onRetry={preview.isError ? () => void preview.refetch() : undefined} />
      )}
      {preview.data !== undefined && (
        <Button loading={change.isPending} onClick={complete}>
          {t`Confirm new address`}
        </Button>
      )}
      <Button component={Link} to="/account" variant="default">
        {t`Not now`}
      </Button>
    </Stack>
  );
}

function Addresses({ from, to }: { readonly from: string; readonly to: string }) {
  return (
    <>
      <DataList labelWidth={140}>
        <DataList.Item>
          <DataList.ItemLabel>{t`Current address`}</DataList.ItemLabel>
          <DataList.ItemValue style={ANYWHERE}>{from}</DataList.ItemValue>
        </DataList.Item>
        <DataList.Item>
          <DataList.ItemLabel>{t`New address`}</DataList.ItemLabel>
          <DataList.ItemValue style={ANYWHERE} fw={600}>
            {to}
          </DataList.ItemValue>
        </DataList.Item>
      </DataList>
      <Text size="sm">
        {t`Confirm the new address to sign in with it from now on. All other devices will be signed out.`}
      </Text>
    </>
  );
}

/** Does not name the addresses of the other user. */
function OtherUser({ email }: { readonly email: string }) {
  const signOut = useSignOut(PAGE);
  return (
    <Stack gap="md">
      <Notice tone="warn" role="alert" title={t`This link is for another user`}>
        <Text size="sm">
          {t`You are signed in as ${email}. Sign out, sign in as the user who asked for the change, and you return to this page.`}
        </Text>
      </Notice>
      {signOut.error !== null && <ErrorState error={signOut.error} />}
      <Button loading={signOut.isPending || signOut.isSuccess} onClick={() => signOut.mutate()}>
        {t`Sign out`}
      </Button>
      <Button component={Link} to="/account" variant="default">
        {t`Not now`}
      </Button>
    </Stack>
  );
}

function Done({ email }: { readonly email: string }) {
  return (
    <Stack gap="md">
      <Notice tone="good" role="status" title={t`Address changed`}>
        <Text size="sm" style={ANYWHERE}>
          {t`You now sign in with ${email}. All other devices were signed out.`}
        </Text>
      </Notice>
      <Button component={Link} to="/" reloadDocument>
        {t`Go to the dashboard`}
      </Button>
    </Stack>
  );
}
