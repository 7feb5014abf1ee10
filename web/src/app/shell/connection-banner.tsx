import { t } from '@lingui/core/macro';
import { IconCloudOff } from '@tabler/icons-react';
import { type Query, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useIsConnectionLost } from '../../api/connection.js';
import { tellLostConnection } from '../../api/jobs/jobs-stream.js';
import { RENEWED } from '../../api/renew-list.js';
import classes from './connection-banner.module.css';

/**
 * Shows that the service does not respond. When it responds again, everything on the page is refetched, except lists
 * that renew themselves: all their loaded pages would be requested again.
 */
export function ConnectionBanner() {
  const client = useQueryClient();
  const isLost = useIsConnectionLost();
  const wasLost = useRef(false);
  useEffect(() => {
    if (wasLost.current && !isLost) {
      void client.invalidateQueries({ predicate: (query) => !isRenewed(query) });
      tellLostConnection();
    }
    wasLost.current = isLost;
  }, [client, isLost]);
  return (
    <div role="status" className={classes['root']} data-lost={isLost}>
      {isLost && (
        <span className={classes['text']}>
          <IconCloudOff size={16} stroke={1.8} aria-hidden />
          {t`Connection lost. Retrying…`}
        </span>
      )}
    </div>
  );
}

/** Whether the query is a loaded list that `listRenewal` renews. */
function isRenewed({ meta, state }: Pick<Query, 'meta' | 'state'>): boolean {
  return meta === RENEWED && state.data !== undefined;
}
