import { t } from '@lingui/core/macro';
import { DataList } from '@mantine/core';
import type { InvitationPreview } from '../../api/schema.js';
import { formatDay } from '../../lib/format.js';
import { ROLE_LABELS, ROLE_TEXTS } from '../../lib/role-texts.js';
import classes from './invitation.module.css';

export interface InvitationFactsProps {
  readonly invitation: InvitationPreview;
}

/** The inviter, the invited person, and the role. */
export function InvitationFacts({ invitation }: InvitationFactsProps) {
  const { organization, invitedBy, email, role, expiresAt } = invitation;
  const facts = [
    [t`Organization`, organization],
    ...(invitedBy === organization ? [] : [[t`Invited by`, invitedBy]]),
    [t`Invited`, email],
    [t`Role`, `${ROLE_LABELS[role]}: ${ROLE_TEXTS[role]}`],
    [t`Expires`, formatDay(expiresAt)],
  ] as const;
  return (
    <DataList labelWidth={110}>
      {facts.map(([label, value]) => (
        <DataList.Item key={label}>
          <DataList.ItemLabel>{label}</DataList.ItemLabel>
          <DataList.ItemValue className={classes['value'] ?? ''}>{value}</DataList.ItemValue>
        </DataList.Item>
      ))}
    </DataList>
  );
}
