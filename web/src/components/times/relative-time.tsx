import { Tooltip } from '@mantine/core';
import { formatDateTime, formatRelative } from '../../lib/format.js';
import { useNow } from '../../lib/use-now.js';

const REFRESH_MS = 30_000;

export interface RelativeTimeProps {
  readonly iso: string;
}

/** "5 minutes ago", with the exact time on hover and for machines. */
export function RelativeTime({ iso }: RelativeTimeProps) {
  const nowMs = useNow(REFRESH_MS);
  return (
    <Tooltip label={formatDateTime(iso)}>
      <time dateTime={iso}>{formatRelative(iso, nowMs)}</time>
    </Tooltip>
  );
}
