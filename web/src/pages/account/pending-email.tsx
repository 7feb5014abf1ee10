import { t } from '@lingui/core/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { EmailChange } from '../../api/schema.js';
import {
  useCancelEmailChange,
  usePendingEmailChange,
  useSendEmailChangeAgain,
} from '../../api/session/email-change.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { Notice } from '../../components/notices/notice.js';
import { formatDay } from '../../lib/format.js';

/** A new address that waits for its link to be opened, if there is one. */
export function PendingEmail() {
  const pending = usePendingEmailChange();
  const sendAgain = useSendEmailChangeAgain();
  const cancel = useCancelEmailChange();
  const error = pending.error ?? sendAgain.error ?? cancel.error;
  return (
    <>
      {error !== null && <ErrorState error={error} />}
      {pending.data && (
        <Waiting change={pending.data} isSentAgain={sendAgain.isSuccess}>
          <Button
            size="xs"
            variant="default"
            loading={sendAgain.isPending}
            onClick={() => sendAgain.mutate()}
          >
            {t`Send link again`}
          </Button>
          <Button size="xs" variant="subtle" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            {t`Cancel change`}
          </Button>
        </Waiting>
      )}
    </>
  );
}

interface WaitingProps {
  readonly change: EmailChange;
  readonly isSentAgain: boolean;
  /** Buttons. */
  readonly children: ReactNode;
}

function Waiting({ change: { email, expiresAt }, isSentAgain, children }: WaitingProps) {
  const day = formatDay(expiresAt);
  return (
    <Notice tone="info" role="status" title={t`Waiting for confirmation of ${email}`}>
      <Stack gap="sm">
        <Text size="sm">
          {t`If no other account has this address, a link is on its way. Open it by ${day}, while signed in, to change your address.`}
        </Text>
        {isSentAgain && (
          <Text size="sm">{t`We sent a new link. Links in earlier emails no longer work.`}</Text>
        )}
        <Group gap="xs">{children}</Group>
      </Stack>
    </Notice>
  );
}
