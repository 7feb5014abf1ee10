import { t } from '@lingui/core/macro';
import { Button, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { ApiError } from 'image-enhancement-client';
import { useVerifyEmail } from '../../api/session/email-verification.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { Notice } from '../../components/notices/notice.js';
import { AuthFrame } from './auth-frame.js';

/** The target of the link in the email. The token is behind `#`, so the browser does not send it to the server. */
export function VerifyEmailPage() {
  const { mutate, isSuccess, isPending, error } = useVerifyEmail();
  const token = useLocation().hash.slice(1);
  const sent = useRef<string>(undefined);
  useEffect(() => {
    if (token === '' || sent.current === token) return;
    sent.current = token;
    mutate({ token });
  }, [token, mutate]);
  const isDead = token === '' || (error instanceof ApiError && error.code === 'link_not_valid');
  return (
    <AuthFrame title={t`Your email address`} description={t`This page confirms your email address.`}>
      <Stack gap="md">
        {isPending && (
          <Text size="sm" role="status">
            {t`One moment…`}
          </Text>
        )}
        {isSuccess && (
          <Notice tone="good" role="status" title={t`Address confirmed`}>
            <Text size="sm">{t`Thank you. There is nothing more to do.`}</Text>
          </Notice>
        )}
        {isDead && (
          <Notice tone="bad" role="alert" title={t`This link doesn't work`}>
            <Text size="sm">
              {t`It has expired or is incomplete. Sign in, and send a new link from the top of the page.`}
            </Text>
          </Notice>
        )}
        {error !== null && !isDead && <ErrorState error={error} onRetry={() => mutate({ token })} />}
        <Button component={Link} to="/" variant={isSuccess ? 'filled' : 'default'}>
          {t`Go to the dashboard`}
        </Button>
      </Stack>
    </AuthFrame>
  );
}
