import { Module } from '@nestjs/common';
import { PasswordHasher } from '../infra/passwords/password-hasher.js';
import { MailModule } from '../mail/mail.module.js';
import { RateLimitModule } from '../quotas/rate-limit/rate-limit.module.js';
import { AuthFailureLimiter } from './auth-failure.limiter.js';
import { ApiKeyGuard } from './keys/api-key.guard.js';
import { ApiKeys } from './keys/api-keys.js';
import { KeyLookup } from './keys/key-lookup.js';
import { KeysController } from './keys/keys.controller.js';
import { KeysService } from './keys/keys.service.js';
import { CredentialsRepository } from './passwords/credentials.repository.js';
import { Passwords } from './passwords/passwords.js';
import { PasswordResets } from './passwords/resets/password-resets.js';
import { PasswordResetsController } from './passwords/resets/password-resets.controller.js';
import { PrincipalRepository } from './principal.repository.js';
import { AttemptLimiter } from './sessions/attempt.limiter.js';
import { CredentialsGuard } from './sessions/credentials.guard.js';
import { SessionStreams } from './sessions/session-streams.js';
import { SessionController } from './sessions/session.controller.js';
import { SessionGuard } from './sessions/session.guard.js';
import { SessionsRepository } from './sessions/sessions.repository.js';
import { UserSessionsController } from './sessions/user-sessions.controller.js';
import { UserSessionsRepository } from './sessions/user-sessions.repository.js';
import { EmailChanges } from './email-changes/email-changes.js';
import { EmailChangesController } from './email-changes/email-changes.controller.js';
import { EmailVerification } from './verification/email-verification.js';
import { EmailVerificationController } from './verification/email-verification.controller.js';
import { NotificationsController } from './notifications/notifications.controller.js';
import { NewDeviceNotices } from './notifications/new-device-notices.js';
import { SecurityNotices } from './notifications/security-notices.js';
import { NewSession } from './sessions/new-session.js';
import { SignIn } from './sessions/sign-in.js';
import { SignUp } from './sessions/sign-up.js';
import { PasskeyChallengesRepository } from './passkeys/passkey-challenges.repository.js';
import { PasskeySignInController } from './passkeys/passkey-sign-in.controller.js';
import { PasskeySignIn } from './passkeys/passkey-sign-in.js';
import { PasskeysController } from './passkeys/passkeys.controller.js';
import { Passkeys } from './passkeys/passkeys.js';
import { PasskeysRepository } from './passkeys/passkeys.repository.js';
import { OidcAccounts } from './oidc/oidc-accounts.js';
import { OidcIdentitiesRepository } from './oidc/oidc-identities.repository.js';
import { OidcLinks } from './oidc/oidc-links.js';
import { OidcRequestsRepository } from './oidc/oidc-requests.repository.js';
import { OidcSessions } from './oidc/oidc-sessions.js';
import { OidcSignIn } from './oidc/oidc-sign-in.js';
import { LinkedIdentities } from './oidc/identities/linked-identities.js';
import { LinkedIdentitiesController } from './oidc/identities/linked-identities.controller.js';
import { OidcController } from './oidc/oidc.controller.js';
import { openIdProvider } from './oidc/openid-provider.provider.js';
import { PendingSignInsRepository } from './two-factor/pending-sign-ins.repository.js';
import { SecondStep } from './two-factor/second-step.js';
import { TwoFactorController } from './two-factor/two-factor.controller.js';
import { TwoFactor } from './two-factor/two-factor.js';
import { TwoFactorRepository } from './two-factor/two-factor.repository.js';

/** Authentication: API keys for programs, passwords and sessions for people. */
@Module({
  imports: [RateLimitModule, MailModule],
  controllers: [
    SessionController,
    UserSessionsController,
    PasswordResetsController,
    EmailVerificationController,
    EmailChangesController,
    NotificationsController,
    TwoFactorController,
    PasskeysController,
    PasskeySignInController,
    OidcController,
    LinkedIdentitiesController,
    KeysController,
  ],
  providers: [
    // One per process: it bounds how many passwords are hashed at once.
    { provide: PasswordHasher, useFactory: () => new PasswordHasher() },
    PrincipalRepository,
    AuthFailureLimiter,
    ApiKeys,
    KeyLookup,
    ApiKeyGuard,
    KeysService,
    AttemptLimiter,
    CredentialsGuard,
    CredentialsRepository,
    Passwords,
    PasswordResets,
    EmailVerification,
    EmailChanges,
    SessionsRepository,
    SessionGuard,
    SessionStreams,
    SignIn,
    SignUp,
    UserSessionsRepository,
    PendingSignInsRepository,
    SecondStep,
    TwoFactor,
    TwoFactorRepository,
    NewDeviceNotices,
    SecurityNotices,
    NewSession,
    openIdProvider,
    LinkedIdentities,
    OidcAccounts,
    OidcIdentitiesRepository,
    OidcLinks,
    OidcRequestsRepository,
    OidcSessions,
    OidcSignIn,
    PasskeyChallengesRepository,
    PasskeySignIn,
    Passkeys,
    PasskeysRepository,
  ],
  exports: [
    RateLimitModule,
    PasswordHasher,
    ApiKeys,
    ApiKeyGuard,
    CredentialsGuard,
    AttemptLimiter,
    Passwords,
    SecurityNotices,
    SessionsRepository,
    SessionGuard,
    SessionStreams,
  ],
})
export class AuthModule {}
