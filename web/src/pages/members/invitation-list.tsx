import { t } from '@lingui/core/macro';
import { Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useInvitations } from '../../api/members/invitations.js';
import type { Invitation } from '../../api/schema.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { Loading } from '../../components/notices/loading.js';
import { RowList } from '../../components/pages/row-list.js';
import { InvitationRow } from './invitation-row.js';
import { RenewInvitationModal } from './renew-invitation-modal.js';

/** Invitations that nobody has accepted yet. */
export function InvitationList() {
  const invitations = useInvitations(true);
  // Stored here, because the row is replaced when the link is renewed.
  const [renewing, setRenewing] = useState<Invitation | null>(null);
  const list = invitations.data?.data ?? [];
  return (
    <section aria-labelledby="invitations">
      <Title order={2} id="invitations" mb="sm">
        {t`Pending invitations`}
      </Title>
      {invitations.isPending && <Loading height={68} />}
      {invitations.isError && (
        <ErrorState error={invitations.error} onRetry={() => void invitations.refetch()} />
      )}
      {invitations.isSuccess && list.length === 0 && (
        <Text size="sm" c="dimmed">
          {t`No pending invitations.`}
        </Text>
      )}
      {list.length > 0 && (
        <RowList label={t`Pending invitations`}>
          {list.map((invitation) => (
            <InvitationRow
              key={invitation.id}
              invitation={invitation}
              onRenew={() => setRenewing(invitation)}
            />
          ))}
        </RowList>
      )}
      {renewing !== null && <RenewInvitationModal invitation={renewing} onClose={() => setRenewing(null)} />}
    </section>
  );
}
