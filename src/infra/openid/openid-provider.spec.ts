import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { OpenIdProvider } from './openid-provider.js';
import { ProviderUnavailable } from './provider-fault.js';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A provider with these responses, whose first have the given statuses. */
async function providerWith(
  answer: (issuer: string, path: string) => object,
  statuses: number[] = [],
): Promise<{ provider: OpenIdProvider; issuer: string; paths: string[] }> {
  const paths: string[] = [];
  server = createServer((request, response) => {
    paths.push(request.url!);
    response.writeHead(statuses.shift() ?? 200, { 'content-type': 'application/json', connection: 'close' });
    response.end(JSON.stringify(answer(issuer, request.url!)));
  });
  await new Promise<void>((resolve) => {
    server!.listen(0, '127.0.0.1', resolve);
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/realm/`;
  const settings = {
    issuer,
    clientId: 'images',
    clientSecret: 'secret',
    redirectUri: 'https://images.example/back',
  };
  return { provider: new OpenIdProvider(settings), issuer, paths };
}

const METADATA = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}authorize`,
  token_endpoint: `${issuer}token`,
});

describe('OpenIdProvider', () => {
  it('reads the metadata once for ten concurrent sign-ins, which share nothing else', async () => {
    const { provider, issuer, paths } = await providerWith(METADATA);
    const begun = await Promise.all(Array.from({ length: 10 }, () => provider.begin()));
    await provider.begin();
    expect(paths).toEqual(['/realm/.well-known/openid-configuration']);
    expect(begun.every(({ url }) => url.href.startsWith(`${issuer}authorize?`))).toBe(true);
    for (const name of ['state', 'nonce', 'codeVerifier'] as const)
      expect(new Set(begun.map(({ checks }) => checks[name])).size).toBe(10);
  });

  it('retries once while the provider is restarting', async () => {
    const { provider, paths } = await providerWith(METADATA, [503]);
    await provider.begin();
    expect(paths).toHaveLength(2);
  });

  it('does not cache a failure', async () => {
    const { provider } = await providerWith(METADATA, [404]);
    await expect(provider.begin()).rejects.toThrow(ProviderUnavailable);
    await expect(provider.begin()).resolves.toBeDefined();
  });

  it('names both issuers when they differ', async () => {
    const { provider, issuer } = await providerWith((given) => METADATA(given.replace(/\/$/, '')));
    await expect(provider.begin()).rejects.toThrow(
      `OIDC_ISSUER is ${issuer}, the provider says ${issuer.replace(/\/$/, '')}`,
    );
  });
});

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** A signed ID token. */
function idToken(claims: object): string {
  const content = `${encoded({ alg: 'RS256' })}.${encoded(claims)}`;
  return `${content}.${sign('sha256', Buffer.from(content), privateKey).toString('base64url')}`;
}

/** Signs a user in whose ID token and user info have these members. */
async function identityWith(inIdToken: object, inUserInfo: object) {
  let nonce = '';
  const now = Math.floor(Date.now() / 1000);
  const { provider, issuer } = await providerWith((iss, path) => {
    if (path.endsWith('/jwks')) return { keys: [publicKey.export({ format: 'jwk' })] };
    if (path.endsWith('/userinfo')) return { sub: 'ada', ...inUserInfo };
    const claims = { iss, sub: 'ada', aud: 'images', exp: now + 60, iat: now, nonce, ...inIdToken };
    if (path.endsWith('/token'))
      return { access_token: 'a', token_type: 'Bearer', id_token: idToken(claims) };
    return { ...METADATA(iss), jwks_uri: `${iss}jwks`, userinfo_endpoint: `${iss}userinfo` };
  });
  const { checks } = await provider.begin();
  ({ nonce } = checks);
  const query = new URLSearchParams({ code: 'c', state: checks.state, iss: issuer });
  const { email, isEmailVerified } = await provider.complete(query, checks);
  return { email, isEmailVerified };
}

describe('the address of an OpenID user', () => {
  const ada = { email: 'ada@example.org' };
  const eve = { email: 'eve@example.org' };

  it('comes from the user info if the ID token does not say whether it is verified', async () => {
    const verified = { ...ada, isEmailVerified: true };
    expect(await identityWith({}, { ...ada, email_verified: true })).toEqual(verified);
    expect(await identityWith(ada, { ...ada, email_verified: 'true' })).toEqual(verified);
    expect(await identityWith({ ...ada, email_verified: true }, eve)).toEqual(verified);
  });

  it.each([
    { inIdToken: ada, inUserInfo: { email_verified: true } },
    { inIdToken: { email_verified: true }, inUserInfo: ada },
    { inIdToken: { email_verified: true }, inUserInfo: { ...ada, email_verified: false } },
  ])('is not verified by a response that does not name it: %j', async ({ inIdToken, inUserInfo }) => {
    expect(await identityWith(inIdToken, inUserInfo)).toEqual({ ...ada, isEmailVerified: false });
  });

  it('is the verified one if the ID token has another', async () => {
    const identity = await identityWith(ada, { ...eve, email_verified: true });
    expect(identity).toEqual({ ...eve, isEmailVerified: true });
  });
});
