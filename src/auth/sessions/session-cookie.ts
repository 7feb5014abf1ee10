import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from '../../common/requests/request-context.js';
import type { Config } from '../../config/env.js';
import { isSessionToken } from './session-token.js';

const NAME = 'ies_session';
/** A sign-in that waits for its second factor. */
const PENDING_NAME = 'ies_sign_in';

const isSecure = ({ publicUrl }: Pick<Config, 'publicUrl'>): boolean => publicUrl.startsWith('https:');

/** Over HTTPS with the `__Host-` prefix: browsers then refuse it from any other host or an unencrypted page. */
function cookieName(name: string, config: Pick<Config, 'publicUrl'>): string {
  return isSecure(config) ? `__Host-${name}` : name;
}

export function sessionCookieName(config: Pick<Config, 'publicUrl'>): string {
  return cookieName(NAME, config);
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
  return readToken(request, sessionCookieName(config));
}

function readToken(
  { headers, server }: Pick<FastifyRequest, 'headers' | 'server'>,
  name: string,
): string | undefined {
  if (headers.cookie === undefined) return undefined;
  const token = server.parseCookie(headers.cookie)[name];
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

/** The token of a pending sign-in in the request's cookie, if present. */
export function readPendingCookie(
  request: Pick<FastifyRequest, 'headers' | 'server'>,
  config: Pick<Config, 'publicUrl'>,
): string | undefined {
  return readToken(request, cookieName(PENDING_NAME, config));
}

export function writePendingCookie(
  reply: FastifyReply,
  token: string,
  config: Pick<Config, 'publicUrl'>,
  maxAge: number,
): void {
  void reply.setCookie(cookieName(PENDING_NAME, config), token, { ...attributes(config), maxAge });
}

export function clearPendingCookie(reply: FastifyReply, config: Pick<Config, 'publicUrl'>): void {
  void reply.clearCookie(cookieName(PENDING_NAME, config), attributes(config));
}
