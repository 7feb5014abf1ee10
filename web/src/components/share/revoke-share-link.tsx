import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useRevokeShareLink } from '../../api/jobs/share-links.js';
import type { ShareLink } from '../../api/schema.js';
import { usePermission } from '../../api/session/use-permission.js';
import { formatDateTime } from '../../lib/format.js';
import { ErrorState } from '../notices/error-state.js';

export interface RevokeShareLinkProps {
  readonly link: ShareLink;
  readonly onRevoked?: ((id: string) => void) | undefined;
}

/** Revokes a link. Renders nothing for members without the permission. */
export function RevokeShareLink({ link: { id, createdAt }, onRevoked }: RevokeShareLinkProps) {
  const revoke = useRevokeShareLink(onRevoked);
  if (!usePermission('images:write')) return null;
  return (
    <div>
      <Button
        variant="subtle"
        size="compact-sm"
        loading={revoke.isPending}
        aria-label={t`Revoke the link created ${formatDateTime(createdAt)}`}
        onClick={() => revoke.mutate(id)}
      >
        {t`Revoke`}
      </Button>
      {revoke.error !== null && <ErrorState error={revoke.error} />}
    </div>
  );
}
