import { t } from '@lingui/core/macro';
import { Button, Stack, Tooltip } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useMembers } from '../../api/members/members.js';
import { useSession } from '../../api/session/session.js';
import { usePermission } from '../../api/session/use-permission.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { Loading } from '../../components/notices/loading.js';
import { PageHeader } from '../../components/pages/page-header.js';
import { RowList } from '../../components/pages/row-list.js';
import { InvitationList } from './invitation-list.js';
import { InviteModal } from './invite-modal.js';
import { MemberRow } from './member-row.js';
import { RoleList } from './role-list.js';

/** The members of the organization, open invitations, and the permissions of each role. */
export function MembersPage() {
  const session = useSession().data;
  const members = useMembers();
  const mayChange = usePermission('members:write');
  const [isInviting, setIsInviting] = useState(false);
  return (
    <>
      <PageHeader title={t`Members`} description={t`People with access to ${session?.account?.name ?? ''}.`}>
        <Tooltip label={t`Only owners and admins can invite members`} disabled={mayChange}>
          <Button
            leftSection={<IconUserPlus size={16} />}
            // Still focusable, so that keyboard users can read the reason.
            data-disabled={!mayChange || undefined}
            aria-disabled={!mayChange}
            onClick={() => mayChange && setIsInviting(true)}
          >
            {t`Invite member`}
          </Button>
        </Tooltip>
      </PageHeader>
      <Stack gap="xl">
        {members.isPending && <Loading height={120} />}
        {members.isError && <ErrorState error={members.error} onRetry={() => void members.refetch()} />}
        {members.data !== undefined && (
          <RowList label={t`Members`}>
            {members.data.data.map((member) => (
              <MemberRow key={member.userId} member={member} />
            ))}
          </RowList>
        )}
        {mayChange && <InvitationList />}
        <RoleList />
      </Stack>
      {isInviting && <InviteModal onClose={() => setIsInviting(false)} />}
    </>
  );
}
