import type { RouteObject } from 'react-router';
import { lazyPage as page } from './lazy-page.js';

/** The operator console: one page for each section, in a shared frame. */
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
    page(
      'sign-in-as',
      async () => (await import('../pages/operator/accounts/sign-in-by-link-page.js')).SignInByLinkPage,
    ),
    page('workers', async () => (await import('../pages/operator/workers/workers-page.js')).WorkersPage),
    page('models', async () => (await import('../pages/operator/models/models-page.js')).ConsoleModelsPage),
    page(
      'models/:operation/compare',
      async () =>
        (await import('../pages/operator/models/compare/compare-versions-page.js')).CompareVersionsPage,
    ),
    page('audit', async () => (await import('../pages/operator/audit/audit-page.js')).AuditPage),
    page('settings', async () => (await import('../pages/operator/settings/settings-page.js')).SettingsPage),
  ]);
}
