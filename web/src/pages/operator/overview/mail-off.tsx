import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { useSession } from '../../../api/session/session.js';
import { Notice } from '../../../components/notices/notice.js';

/** Lists the features that do not work while the service sends no email. */
export function MailOff() {
  const session = useSession().data;
  if (session?.sendsMail !== false) return null;
  return (
    <Notice tone="info" title={t`This service doesn't send email`}>
      <Text size="sm">
        {t`Password resets, email confirmations, invitations and notices aren't sent. Set SMTP_URL and SMTP_FROM to turn email on.`}
      </Text>
    </Notice>
  );
}
