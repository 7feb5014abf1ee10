import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { Link } from 'react-router';
import type { ShareLink } from '../../../api/schema.js';
import { RevokeShareLink } from '../../../components/share/revoke-share-link.js';
import { RelativeTime } from '../../../components/times/relative-time.js';
import { formatDateTime } from '../../../lib/format.js';
import classes from './shared-link-row.module.css';

/** One link: its result and its expiry. */
export function SharedLinkRow({ link }: { readonly link: ShareLink }) {
  const { jobId, sourceName, createdAt, expiresAt, showsOriginal } = link;
  return (
    <li className={classes['row']}>
      <div className={classes['text']}>
        <Link to={`/jobs/${jobId}`} className={classes['name'] ?? ''}>
          {sourceName ?? jobId}
        </Link>
        <Text size="sm" c="dimmed">
          {showsOriginal
            ? t`Created ${formatDateTime(createdAt)}, with the original`
            : t`Created ${formatDateTime(createdAt)}`}
        </Text>
      </div>
      <Text size="sm">
        <Trans>
          Expires <RelativeTime iso={expiresAt} />
        </Trans>
      </Text>
      <RevokeShareLink link={link} />
    </li>
  );
}
