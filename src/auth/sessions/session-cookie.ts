import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from '../../common/requests/request-context.js';
import type { Config } from '../../config/env.js';
import { isSessionToken } from './session-token.js';

const NAME = 'ies_session';

const isSecure = ({ publicUrl }: Pick<Config, 'publicUrl'>): boolean => publicUrl.startsWith('https:');

/** Over HTTPS with the `__Host-` prefix: browsers then refuse it from any other host or an unencrypted page. */
export function sessionCookieName(config: Pick<Config, 'publicUrl'>): string {
  return isSecure(config) ? `__Host-${NAME}` : NAME;
}

/** Strict: pages are public files, and their requests are same-site. */
function attributes(config: Pick<Config, 'publicUrl'>): CookieSerializeOptions {
  return { path: '/', httpOnly: true, sameSite: 'strict', secure: isSecure(config) };
}

/** The session token in the request's cookie, if present. */
export function readSessionCookie(
  request: Pick<FastifyRequest, 'headers' | 'server'>,
  config: Pick<Config, 'publicUrl'>,
): string | undefined {
  const { cookie } = request.headers;
  if (cookie === undefined) return undefined;
  const token = request.server.parseCookie(cookie)[sessionCookieName(config)];
  return token !== undefined && isSessionToken(token) ? token : undefined;
}

export function writeSessionCookie(
  reply: FastifyReply,
  token: string,
  config: Pick<Config, 'publicUrl' | 'sessionMaxSeconds'>,
): void {
  void reply.setCookie(sessionCookieName(config), token, {
    ...attributes(config),
    maxAge: config.sessionMaxSeconds,
  });
}

export function clearSessionCookie(reply: FastifyReply, config: Pick<Config, 'publicUrl'>): void {
  void reply.clearCookie(sessionCookieName(config), attributes(config));
}
