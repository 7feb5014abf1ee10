import { t } from '@lingui/core/macro';
import { IconCloudOff } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useIsConnectionLost } from '../../api/connection.js';
import classes from './connection-banner.module.css';

/** Shows that the service does not respond. When it responds again, everything on the page is refetched. */
export function ConnectionBanner() {
  const client = useQueryClient();
  const isLost = useIsConnectionLost();
  const wasLost = useRef(false);
  useEffect(() => {
    if (wasLost.current && !isLost) void client.invalidateQueries();
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
