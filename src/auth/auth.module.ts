import { Module } from '@nestjs/common';
import { ApiKeyGuard } from './api-key.guard.js';
import { AuthFailureLimiter } from './auth-failure.limiter.js';
import { PrincipalRepository } from './principal.repository.js';
import { RateLimitGuard } from './rate-limit.guard.js';
import { RateLimitRepository } from './rate-limit.repository.js';

@Module({
  providers: [PrincipalRepository, RateLimitRepository, AuthFailureLimiter, ApiKeyGuard, RateLimitGuard],
  exports: [PrincipalRepository, RateLimitRepository, AuthFailureLimiter, ApiKeyGuard, RateLimitGuard],
})
export class AuthModule {}
