import type { RouteObject } from 'react-router';
import { lazyPage as page } from './lazy-page.js';

/** The operator console: one page for each section, in the frame that they share. */
export function operatorRoute(): RouteObject {
  return page('/operator', async () => (await import('../pages/operator/console-frame.js')).ConsoleFrame, [
    page('', async () => (await import('../pages/operator/overview/overview-page.js')).OverviewPage),
    page('accounts', async () => (await import('../pages/operator/accounts/accounts-page.js')).AccountsPage),
    page(
      'accounts/:id',
      async () =>
        (await import('../pages/operator/accounts/detail/account-detail-page.js')).AccountDetailPage,
    ),
    page(
      'failed-jobs',
      async () => (await import('../pages/operator/failed-jobs/failed-jobs-page.js')).FailedJobsPage,
    ),
    page(
      'failing-endpoints',
      async () =>
        (await import('../pages/operator/endpoints/failing-endpoints-page.js')).FailingEndpointsPage,
    ),
  ]);
}
