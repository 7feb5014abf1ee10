import { Controller, Get, Inject, Logger, Query, Req, Res } from '@nestjs/common';
import { ApiFoundResponse } from '@nestjs/swagger';
import { SignedIn } from '../../common/access/access.decorator.js';
import type { FastifyReply, FastifyRequest } from '../../common/requests/request-context.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { AppError } from '../../kernel/app-error.js';
import { AttemptLimiter } from '../sessions/attempt.limiter.js';
import { NewSession } from '../sessions/new-session.js';
import { readSessionCookie, readTokenCookie, writeTokenCookie } from '../sessions/session-cookie.js';
import { PENDING_SECONDS } from '../two-factor/pending-sign-ins.repository.js';
import { LINK_SECONDS } from './oidc-links.js';
import type { OidcFault } from './oidc-outcome.js';
import { OIDC_SECONDS } from './oidc-requests.repository.js';
import { OidcSignIn } from './oidc-sign-in.js';
import { pagePath } from './page-path.js';

/**
 * Signing in with an OpenID Connect provider. Browsers open these addresses, so every response sends them to a page,
 * errors included. Without a provider, the addresses do not exist.
 */
@Controller('dashboard/api/sign-in/oidc')
@SignedIn('none')
export class OidcController {
  private readonly logger = new Logger('accounts');

  constructor(
    private readonly signIn: OidcSignIn,
    private readonly newSession: NewSession,
    private readonly attempts: AttemptLimiter,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get()
  @ApiFoundResponse({ description: 'To the provider, or to the sign-in page with a `fault`.' })
  begin(
    @Query('next') next: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const nextPath = pagePath(next);
    return this.answer(reply, request, nextPath, async () => {
      const browser = readTokenCookie(request, 'oidc', this.config);
      const session = readSessionCookie(request, this.config);
      const begun = await this.signIn.begin(nextPath, browser, session);
      if ('fault' in begun) return signInPage({ fault: begun.fault, next: nextPath });
      writeTokenCookie(reply, 'oidc', begun.token, this.config, OIDC_SECONDS);
      return begun.url;
    });
  }

  @Get('callback')
  @ApiFoundResponse({ description: 'To a page of the dashboard.' })
  callback(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.answer(reply, request, '/', async () => {
      const browser = readTokenCookie(request, 'oidc', this.config);
      const query = new URL(request.url, this.config.publicUrl).searchParams;
      const outcome = await this.signIn.complete(browser, query, request.ip);
      const { nextPath: next } = outcome;
      if (outcome.kind === 'fault') return signInPage({ fault: outcome.fault, next });
      const { kind, token, sessionHash } = outcome;
      if (kind !== 'link') await this.newSession.replace(sessionHash, request, reply);
      if (kind === 'session') {
        await this.newSession.start(token, request, reply);
        return next;
      }
      if (kind === 'second-factor') {
        writeTokenCookie(reply, 'pending', token, this.config, PENDING_SECONDS);
        return signInPage({ step: 'code', next });
      }
      writeTokenCookie(reply, 'link', token, this.config, LINK_SECONDS);
      return signInPage({ step: 'link', next });
    });
  }

  /**
   * @param next the page that was asked for
   * @param work returns where to send the browser: a path of the dashboard, or a URL
   */
  private async answer(
    reply: FastifyReply,
    request: FastifyRequest,
    next: string,
    work: () => Promise<string>,
  ): Promise<void> {
    if (!this.signIn.isConfigured) throw new AppError('not_found');
    const target = await this.attempts
      .countRequest(request.ip)
      .then(work)
      .catch((error: unknown) => signInPage({ fault: this.faultOf(error), next }));
    void reply.redirect(target.startsWith('/') ? `${this.config.publicUrl}${target}` : target, 302);
  }

  private faultOf(error: unknown): OidcFault {
    if (error instanceof AppError && error.code === 'too_many_attempts') return 'too_many_attempts';
    this.logger.error({ error: String(error) }, 'a sign-in with the OpenID provider failed');
    return 'service_unavailable';
  }
}

/** The path of the sign-in page with these parameters. */
function signInPage(parameters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(parameters);
  if (query.get('next') === '/') query.delete('next');
  return `/sign-in?${query.toString()}`;
}
