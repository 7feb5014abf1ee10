import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useRevokeShareLink } from '../../api/jobs/share-links.js';
import type { ShareLink } from '../../api/schema.js';
import { usePermission } from '../../api/session/use-permission.js';
import { formatDateTime } from '../../lib/format.js';
import { ConfirmModal } from '../dialogs/confirm-modal.js';

export interface RevokeShareLinkProps {
  readonly link: ShareLink;
  readonly onRevoked?: ((id: string) => void) | undefined;
}

/** Revokes a link after a question. Renders nothing for members without the permission. */
export function RevokeShareLink({ link: { id, createdAt }, onRevoked }: RevokeShareLinkProps) {
  const [isAsking, setIsAsking] = useState(false);
  const revoke = useRevokeShareLink(onRevoked);
  const close = () => {
    setIsAsking(false);
    revoke.reset();
  };
  if (!usePermission('images:write')) return null;
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        c="var(--mantine-color-error)"
        aria-label={t`Revoke the link created ${formatDateTime(createdAt)}`}
        onClick={() => setIsAsking(true)}
      >
        {t`Revoke`}
      </Button>
      {isAsking && (
        <ConfirmModal
          title={t`Revoke this link?`}
          text={t`Everyone who has the link loses access immediately. This can't be undone, but you can create a new link.`}
          action={t`Revoke link`}
          isBusy={revoke.isPending}
          error={revoke.error}
          onConfirm={() => revoke.mutate(id, { onSuccess: close })}
          onClose={close}
        />
      )}
    </>
  );
}
