import { Module } from '@nestjs/common';
import { ApiKeyGuard } from './api-key.guard.js';
import { ApiKeys } from './api-keys.service.js';
import { AuthFailureLimiter } from './auth-failure.limiter.js';
import { KeyLookup } from './key-lookup.js';
import { PrincipalRepository } from './principal.repository.js';
import { RateLimitGuard } from './rate-limit.guard.js';
import { RateLimitRepository } from './rate-limit.repository.js';

@Module({
  providers: [
    ApiKeys,
    PrincipalRepository,
    RateLimitRepository,
    AuthFailureLimiter,
    KeyLookup,
    ApiKeyGuard,
    RateLimitGuard,
  ],
  exports: [
    ApiKeys,
    PrincipalRepository,
    RateLimitRepository,
    AuthFailureLimiter,
    KeyLookup,
    ApiKeyGuard,
    RateLimitGuard,
  ],
})
export class AuthModule {}
