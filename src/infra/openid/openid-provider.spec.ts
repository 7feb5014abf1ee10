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

/** A provider with this metadata, whose first responses have the given statuses. */
async function providerWith(
  metadata: (issuer: string) => object,
  statuses: number[] = [],
): Promise<{ provider: OpenIdProvider; issuer: string; paths: string[] }> {
  const paths: string[] = [];
  server = createServer((request, response) => {
    paths.push(request.url!);
    response.writeHead(statuses.shift() ?? 200, { 'content-type': 'application/json', connection: 'close' });
    response.end(JSON.stringify(metadata(issuer)));
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
