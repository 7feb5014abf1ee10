import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { PasswordHasher } from '../infra/passwords/password-hasher.js';
import { AccountDeletion } from './account-deletion.service.js';
import { AccountErasureRepository } from './account-erasure.repository.js';
import { AccountController } from './account.controller.js';
import { AttemptLimiter } from './attempt.limiter.js';
import { CredentialsGuard } from './credentials.guard.js';
import { CredentialsRepository } from './credentials.repository.js';
import { ObjectErasures } from './object-erasures.js';
import { Passwords } from './password.service.js';
import { SessionController } from './session.controller.js';
import { SessionGuard } from './session.guard.js';
import { SessionStreams } from './session-streams.js';
import { SessionsRepository } from './sessions.repository.js';
import { SignIn } from './sign-in.service.js';

/** People with passwords and sessions, beside the keys of `auth`. */
@Module({
  imports: [AuthModule],
  controllers: [SessionController, AccountController],
  providers: [
    // One for the process: it is the bound on how many passwords are hashed at once.
    { provide: PasswordHasher, useFactory: () => new PasswordHasher() },
    AttemptLimiter,
    CredentialsGuard,
    CredentialsRepository,
    SessionsRepository,
    SessionGuard,
    SessionStreams,
    SignIn,
    Passwords,
    AccountErasureRepository,
    ObjectErasures,
    AccountDeletion,
  ],
  exports: [SessionGuard, SessionStreams],
})
export class AccountsModule {}
