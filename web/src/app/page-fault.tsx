import { useRouteError } from 'react-router';
import { ErrorState } from '../components/notices/error-state.js';

/** A page that could not be loaded or drawn; the navigation around it still works. */
export function PageFault() {
  const fault = useRouteError();
  const error = fault instanceof Error ? fault : new Error('This page could not be shown.');
  return <ErrorState error={error} onRetry={() => window.location.reload()} />;
}
