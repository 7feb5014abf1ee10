import { Module } from '@nestjs/common';
import { RateLimitGuard } from './rate-limit.guard.js';
import { RateLimitRepository } from './rate-limit.repository.js';

@Module({
  providers: [RateLimitRepository, RateLimitGuard],
  exports: [RateLimitRepository, RateLimitGuard],
})
export class RateLimitModule {}
