import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Text } from '@mantine/core';
import { useSendVerification } from '../../../api/session/email-verification.js';
import { useSession } from '../../../api/session/session.js';
import { problemOf } from '../../../api/problem.js';
import { Notice } from '../../../components/notices/notice.js';
import classes from './verification-banner.module.css';

/** Asks users to confirm their email address until they have done so. */
export function VerificationBanner() {
  const { data: session } = useSession();
  const send = useSendVerification();
  const user = session?.user;
  // False when the account was created without an email, and when the link has expired.
  const isSent = send.isSuccess || session?.user?.hasVerificationLink !== false;
  if (!user || !session.sendsMail || user.isEmailVerified) return null;
  const { email } = user;
  const isRequired = session.requiresVerifiedEmail;
  return (
    <div className={classes['root']}>
      <Notice
        tone={isRequired ? 'warn' : 'info'}
        title={
          isRequired
            ? t`Confirm your email address to enhance photos and create API keys`
            : t`Confirm your email address`
        }
      >
        <div className={classes['line']}>
          <Text size="sm" role="status" className={classes['text'] ?? ''}>
            {send.error !== null && problemOf(send.error).detail}
            {send.isSuccess && <Trans>We sent a link to {email}. It works for three days.</Trans>}
            {send.error === null && !send.isSuccess && isSent && (
              <Trans>Open the link that we sent to {email}.</Trans>
            )}
            {send.error === null && !isSent && <Trans>Send a link to {email}, then open it.</Trans>}
          </Text>
          <Button size="xs" variant="default" loading={send.isPending} onClick={() => send.mutate()}>
            {isSent ? t`Send again` : t`Send link`}
          </Button>
        </div>
      </Notice>
    </div>
  );
}
