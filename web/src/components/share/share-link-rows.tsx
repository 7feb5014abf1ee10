import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text, Title } from '@mantine/core';
import { useShareLinks } from '../../api/jobs/share-links.js';
import type { ShareLink } from '../../api/schema.js';
import { formatDateTime } from '../../lib/format.js';
import { ErrorState } from '../notices/error-state.js';
import { PlainList, PlainRow } from '../pages/plain-list.js';
import { RelativeTime } from '../times/relative-time.js';
import { RevokeShareLink } from './revoke-share-link.js';

export interface ShareLinkRowsProps {
  readonly jobId: string;
  readonly onRevoked: (id: string) => void;
}

/** The active links to a result. Renders nothing if there are none. */
export function ShareLinkRows({ jobId, onRevoked }: ShareLinkRowsProps) {
  const links = useShareLinks(jobId);
  if (links.isLoadingError) return <ErrorState error={links.error} onRetry={() => void links.refetch()} />;
  const list = links.data?.data ?? [];
  if (list.length === 0) return null;
  return (
    <section aria-labelledby="share-links">
      <Title order={3} size="h5" id="share-links">
        {t`Active links`}
      </Title>
      <PlainList>
        {list.map((link) => (
          <LinkRow key={link.id} link={link} onRevoked={onRevoked} />
        ))}
      </PlainList>
    </section>
  );
}

interface LinkRowProps extends Pick<ShareLinkRowsProps, 'onRevoked'> {
  readonly link: ShareLink;
}

function LinkRow({ link, onRevoked }: LinkRowProps) {
  const { createdAt, expiresAt, showsOriginal } = link;
  return (
    <PlainRow actions={<RevokeShareLink link={link} onRevoked={onRevoked} />}>
      <Text size="sm">
        <Trans>
          Expires <RelativeTime iso={expiresAt} />
        </Trans>
      </Text>
      <Text size="xs" c="dimmed">
        {showsOriginal
          ? t`Created ${formatDateTime(createdAt)}, with the original`
          : t`Created ${formatDateTime(createdAt)}`}
      </Text>
    </PlainRow>
  );
}
