import { t } from '@lingui/core/macro';
import { Button, Paper, Stack, Text } from '@mantine/core';
import { ApiError } from 'image-enhancement-client';
import { useLocation } from 'react-router';
import { useSignInByLink } from '../../../api/operator/accounts.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { Notice } from '../../../components/notices/notice.js';
import { PageHeader } from '../../../components/pages/page-header.js';

/** The target of a link from `npm run admin -- account sign-in-as`. The token is behind `#`. */
export function SignInByLinkPage() {
  const token = useLocation().hash.slice(1);
  // Another link in the same tab starts over.
  return <SignInByLink key={token} token={token} />;
}

function SignInByLink({ token }: { readonly token: string }) {
  const signIn = useSignInByLink();
  const isDead = token === '' || (signIn.error instanceof ApiError && signIn.error.code === 'link_not_valid');
  return (
    <>
      <PageHeader
        title={t`Sign in as a customer`}
        description={t`With a link from the command line. It works once.`}
      />
      <Paper withBorder p="lg">
        {isDead ? (
          <Notice tone="bad" role="alert" title={t`This link doesn't work`}>
            {t`It has expired, has already been used, or is incomplete. If you had to sign in first, open it again. Otherwise, issue a new one.`}
          </Notice>
        ) : (
          <Stack gap="md" align="flex-start">
            {signIn.isError && <ErrorState error={signIn.error} />}
            <Text size="sm">
              {t`You see this customer's dashboard, including photos, for up to an hour. You can't change anything. The start and the end are recorded in the account's activity.`}
            </Text>
            <Button loading={signIn.isPending || signIn.isSuccess} onClick={() => signIn.mutate({ token })}>
              {t`Sign in`}
            </Button>
          </Stack>
        )}
      </Paper>
    </>
  );
}
