import { createBrowserRouter } from 'react-router';
import { FirstPage } from './first-page.js';
import { lazyPage as page } from './lazy-page.js';
import { operatorRoute } from './operator-route.js';
import { PageFault } from './page-fault.js';
import { SignedIn } from './signed-in.js';
import { SignedOut } from './signed-out.js';

export type Router = ReturnType<typeof createRouter>;

/** Resolves when the code of the requested page has loaded, or failed to load. */
export function untilFirstPage(router: Router): Promise<void> {
  return new Promise((resolve) => {
    if (router.state.initialized) return resolve();
    const unsubscribe = router.subscribe(({ initialized }) => {
      if (!initialized) return;
      unsubscribe();
      resolve();
    });
  });
}

/** The routes of the dashboard. */
export function createRouter() {
  return createBrowserRouter([
    {
      element: <SignedOut />,
      errorElement: <PageFault />,
      children: [
        page('/sign-in', async () => (await import('../pages/sign-in/sign-in-page.js')).SignInPage),
        page('/sign-up', async () => (await import('../pages/sign-in/sign-up-page.js')).SignUpPage),
      ],
    },
    {
      // Also available to signed-in users, because the link in an email opens in any browser.
      errorElement: <PageFault />,
      children: [
        page(
          '/invitation',
          async () => (await import('../pages/invitation/invitation-page.js')).InvitationPage,
        ),
        page(
          '/forgot-password',
          async () => (await import('../pages/sign-in/forgot-password-page.js')).ForgotPasswordPage,
        ),
        page(
          '/verify-email',
          async () => (await import('../pages/sign-in/verify-email-page.js')).VerifyEmailPage,
        ),
        page(
          '/change-email',
          async () => (await import('../pages/sign-in/change-email-page.js')).ChangeEmailPage,
        ),
        page(
          '/reset-password',
          async () => (await import('../pages/sign-in/reset-password-page.js')).ResetPasswordPage,
        ),
      ],
    },
    {
      element: <SignedIn />,
      errorElement: <PageFault />,
      children: [
        { index: true, element: <FirstPage /> },
        page(
          '/playground',
          async () => (await import('../pages/playground/playground-page.js')).PlaygroundPage,
        ),
        page('/results', async () => (await import('../pages/results/results-page.js')).ResultsPage),
        page(
          '/results/shared',
          async () => (await import('../pages/results/shared/shared-links-page.js')).SharedLinksPage,
        ),
        page('/jobs/:id?', async () => (await import('../pages/jobs/jobs-page.js')).JobsPage),
        page('/batches', async () => (await import('../pages/batches/batches-page.js')).BatchesPage),
        page('/batches/:id', async () => (await import('../pages/batches/batch/batch-page.js')).BatchPage),
        page('/photos', async () => (await import('../pages/photos/photos-page.js')).PhotosPage),
        page('/keys', async () => (await import('../pages/keys/keys-page.js')).KeysPage),
        page('/usage', async () => (await import('../pages/usage/usage-page.js')).UsagePage),
        page(
          '/webhooks/:tab?/:id?',
          async () => (await import('../pages/webhooks/webhooks-page.js')).WebhooksPage,
        ),
        page('/models', async () => (await import('../pages/models/models-page.js')).ModelsPage),
        page('/members', async () => (await import('../pages/members/members-page.js')).MembersPage),
        page('/activity', async () => (await import('../pages/activity/activity-page.js')).ActivityPage),
        page('/account', async () => (await import('../pages/account/account-page.js')).AccountPage),
        page(
          '/account/security',
          async () => (await import('../pages/security/security-page.js')).SecurityPage,
        ),
        operatorRoute(),
        page('*', async () => (await import('../pages/not-found/not-found-page.js')).NotFoundPage),
      ],
    },
  ]);
}
