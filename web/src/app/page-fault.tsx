import { t } from '@lingui/core/macro';
import { useRouteError } from 'react-router';
import { useIsConnectionLost } from '../api/connection.js';
import { ErrorState } from '../components/notices/error-state.js';
import { Notice } from '../components/notices/notice.js';

export interface PageFaultProps {
  /** If omitted, the error that the router caught. */
  readonly fault?: unknown;
}

/** Shown for a page that could not be loaded or rendered. The navigation around it still works. */
export function PageFault(props: PageFaultProps) {
  const caught = useRouteError();
  const fault = props.fault ?? caught;
  const isLost = useIsConnectionLost();
  if (isLost)
    return (
      <Notice tone="warn" title={t`This page couldn't be loaded`} role="alert">
        {t`It will load once the connection is restored.`}
      </Notice>
    );
  const error = fault instanceof Error ? fault : new Error(t`This page could not be shown.`);
  return <ErrorState error={error} onRetry={() => window.location.reload()} />;
}
