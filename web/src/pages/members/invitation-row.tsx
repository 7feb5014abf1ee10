import { t } from '@lingui/core/macro';
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useSession } from '../../api/session/session.js';
import type { Invitation } from '../../api/schema.js';
import { StatusBadge } from '../../components/status/status-badge.js';
import { RelativeTime } from '../../components/times/relative-time.js';
import { ROLE_LABELS } from '../../lib/role-texts.js';
import { grantableRoles } from './grantable-roles.js';
import classes from './members.module.css';
import { RevokeInvitationModal } from './revoke-invitation-modal.js';

export interface InvitationRowProps {
  readonly invitation: Invitation;
  readonly onRenew: () => void;
}

/** One invitation: the recipient, the inviter, and the expiry. */
export function InvitationRow({ invitation, onRenew }: InvitationRowProps) {
  const { email, role, invitedBy, expiresAt, isExpired, mail } = invitation;
  const session = useSession().data;
  const [isRevoking, setIsRevoking] = useState(false);
  const mayChange = grantableRoles(session?.role).includes(role);
  return (
    <li className={classes['row']}>
      <div className={classes['who']}>
        <Group gap="xs">
          <Text fw={500} className={classes['email'] ?? ''}>
            {email}
          </Text>
          {isExpired && <StatusBadge tone="warn" label={t`Expired`} />}
          {!isExpired && mail === 'failed' && <StatusBadge tone="bad" label={t`Email not delivered`} />}
        </Group>
        <Text size="sm" c="dimmed" className={classes['email'] ?? ''}>
          {t`Invited by ${invitedBy}`} · {isExpired ? t`expired` : t`expires`}{' '}
          <RelativeTime iso={expiresAt} />
        </Text>
      </div>
      <Text size="sm">{ROLE_LABELS[role]}</Text>
      <div className={classes['actions']}>
        {mayChange && (
          <>
            <Button size="xs" variant="default" aria-label={t`New link for ${email}`} onClick={onRenew}>
              {t`New link`}
            </Button>
            <Button
              size="xs"
              variant="default"
              aria-label={t`Revoke the invitation of ${email}`}
              className={classes['danger'] ?? ''}
              onClick={() => setIsRevoking(true)}
            >
              {t`Revoke`}
            </Button>
          </>
        )}
      </div>
      {isRevoking && <RevokeInvitationModal invitation={invitation} onClose={() => setIsRevoking(false)} />}
    </li>
  );
}
