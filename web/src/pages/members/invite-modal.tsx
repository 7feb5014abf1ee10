import { t } from '@lingui/core/macro';
import { NativeSelect, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useInvite } from '../../api/members/invitations.js';
import type { Role } from '../../api/members/members.js';
import { fieldFault } from '../../api/problem.js';
import { useSession } from '../../api/session/session.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import { DialogButtons } from '../../components/dialogs/dialog-buttons.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { ROLE_LABELS, ROLE_TEXTS } from '../../lib/role-texts.js';
import { grantableRoles } from './grantable-roles.js';
import { LinkShown } from './link-shown.js';

export interface InviteModalProps {
  readonly onClose: () => void;
}

/** Asks for the address and the role, then shows the link. */
export function InviteModal({ onClose }: InviteModalProps) {
  const invite = useInvite();
  const session = useSession().data;
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('developer');
  const emailFault = fieldFault(invite.error, 'email');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate({ email: email.trim(), role });
  };
  if (invite.isSuccess)
    return (
      <Dialog onClose={onClose} title={t`Invitation link`} isPrecious>
        <LinkShown link={invite.data} onDone={onClose} />
      </Dialog>
    );
  return (
    <Dialog onClose={onClose} title={t`Invite a member`}>
      <form onSubmit={submit}>
        <Stack gap="md">
          {invite.error !== null && emailFault === undefined && <ErrorState error={invite.error} />}
          <TextInput
            label={t`Email address`}
            description={
              session?.sendsMail === true
                ? t`We email them the link. They sign in or sign up with this address.`
                : t`They sign in or sign up with this address.`
            }
            type="email"
            autoComplete="off"
            required
            withAsterisk={false}
            maxLength={254}
            data-autofocus
            value={email}
            error={emailFault}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <NativeSelect
            label={t`Role`}
            description={ROLE_TEXTS[role]}
            value={role}
            data={grantableRoles(session?.role).map((value) => ({ value, label: ROLE_LABELS[value] }))}
            onChange={(event) => setRole(event.currentTarget.value as Role)}
          />
          <DialogButtons action={t`Create invitation`} isBusy={invite.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
