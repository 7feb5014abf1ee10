import { t } from '@lingui/core/macro';
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useSetRole } from '../../api/members/members.js';
import { useSession } from '../../api/session/session.js';
import { usePermission } from '../../api/session/use-permission.js';
import type { Member } from '../../api/schema.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { RelativeTime } from '../../components/times/relative-time.js';
import { ROLE_LABELS } from '../../lib/role-texts.js';
import { grantableRoles } from './grantable-roles.js';
import { LeaveModal } from './leave-modal.js';
import classes from './members.module.css';
import { RemoveMemberModal } from './remove-member-modal.js';
import { RoleChoice } from './role-choice.js';

export interface MemberRowProps {
  readonly member: Member;
}

/** One member: the user, the date of joining, the role, and the available changes. */
export function MemberRow({ member }: MemberRowProps) {
  const { userId, email, role, isPrimaryOwner, joinedAt } = member;
  const session = useSession().data;
  const setRole = useSetRole(userId);
  const [open, setOpen] = useState<'remove' | 'leave' | null>(null);
  const isSelf = session?.user?.id === userId;
  const grantable = grantableRoles(session?.role);
  const mayChange = usePermission('members:write') && !isPrimaryOwner && grantable.includes(role);
  return (
    <li className={classes['row']}>
      <div className={classes['who']}>
        <Group gap="xs">
          <Text fw={500} className={classes['email'] ?? ''}>
            {email}
          </Text>
          {isSelf && (
            <Text span size="sm" c="dimmed">
              {t`You`}
            </Text>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {isPrimaryOwner ? t`Primary owner` : t`Joined`} {!isPrimaryOwner && <RelativeTime iso={joinedAt} />}
        </Text>
      </div>
      {mayChange ? (
        <RoleChoice member={member} grantable={grantable} setRole={setRole} />
      ) : (
        <Text size="sm">{ROLE_LABELS[role]}</Text>
      )}
      <div className={classes['actions']}>
        {mayChange && !isSelf && (
          <Button
            size="xs"
            variant="default"
            aria-label={t`Remove ${email}`}
            className={classes['danger'] ?? ''}
            onClick={() => setOpen('remove')}
          >
            {t`Remove`}
          </Button>
        )}
        {isSelf && !isPrimaryOwner && (
          <Button size="xs" variant="default" onClick={() => setOpen('leave')}>
            {t`Leave organization`}
          </Button>
        )}
      </div>
      {setRole.error !== null && (
        <div className={classes['fault']}>
          <ErrorState error={setRole.error} />
        </div>
      )}
      {open === 'remove' && <RemoveMemberModal member={member} onClose={() => setOpen(null)} />}
      {open === 'leave' && <LeaveModal onClose={() => setOpen(null)} />}
    </li>
  );
}
