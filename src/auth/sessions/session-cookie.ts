import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from '../../common/requests/request-context.js';
import type { Config } from '../../config/env.js';
import { isSecretToken } from '../../kernel/secret-token.js';

/** What a token in a cookie stands for. */
const NAMES = {
  session: 'ies_session',
  /** A sign-in that waits for its second factor. */
  pending: 'ies_sign_in',
  /** A browser that somebody signed in with; it gives access to nothing. */
  device: 'ies_device',
  /** A challenge that a passkey answers. */
  passkey: 'ies_passkey',
  /** A sign-in that was sent to the OpenID provider. */
  oidc: 'ies_oidc',
  /** An identity of the OpenID provider that waits for the owner of the account. */
  link: 'ies_link',
} as const;
export type CookieKind = keyof typeof NAMES;

type Address = Pick<Config, 'publicUrl'>;

const isSecure = ({ publicUrl }: Address): boolean => publicUrl.startsWith('https:');

/** Over HTTPS with the `__Host-` prefix: browsers then refuse it from any other host or an unencrypted page. */
function cookieName(kind: CookieKind, config: Address): string {
  return isSecure(config) ? `__Host-${NAMES[kind]}` : NAMES[kind];
}

/** Read when the browser comes back from the OpenID provider, which is another site. Neither gives access to anything. */
const LAX: ReadonlySet<CookieKind> = new Set(['oidc', 'device']);

/** Strict: pages are public files, and their requests are same-site. */
function attributes(kind: CookieKind, config: Address): CookieSerializeOptions {
  const sameSite = LAX.has(kind) ? 'lax' : 'strict';
  return { path: '/', httpOnly: true, sameSite, secure: isSecure(config) };
}

/** The token in a cookie of the request, if present. */
export function readTokenCookie(
  { headers, server }: Pick<FastifyRequest, 'headers' | 'server'>,
  kind: CookieKind,
  config: Address,
): string | undefined {
  if (headers.cookie === undefined) return undefined;
  const token = server.parseCookie(headers.cookie)[cookieName(kind, config)];
  return token !== undefined && isSecretToken(token) ? token : undefined;
}

export function writeTokenCookie(
  reply: FastifyReply,
  kind: CookieKind,
  token: string,
  config: Address,
  maxAge: number,
): void {
  void reply.setCookie(cookieName(kind, config), token, { ...attributes(kind, config), maxAge });
}

export function clearTokenCookie(reply: FastifyReply, kind: CookieKind, config: Address): void {
  void reply.clearCookie(cookieName(kind, config), attributes(kind, config));
}

/** The session token in the request's cookie, if present. */
export function readSessionCookie(
  request: Pick<FastifyRequest, 'headers' | 'server'>,
  config: Address,
): string | undefined {
  return readTokenCookie(request, 'session', config);
}

export function writeSessionCookie(
  reply: FastifyReply,
  token: string,
  config: Pick<Config, 'publicUrl' | 'sessionMaxSeconds'>,
): void {
  writeTokenCookie(reply, 'session', token, config, config.sessionMaxSeconds);
}

export function clearSessionCookie(reply: FastifyReply, config: Address): void {
  clearTokenCookie(reply, 'session', config);
}
