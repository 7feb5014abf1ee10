import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

export const CLIENT_ID = 'image-enhancement';
export const CLIENT_SECRET = 'a client secret that only tests know';

/** A user of the provider. The login name is the subject. */
export interface ProviderUser {
  readonly email?: string;
  readonly isVerified: boolean;
}

type Claims = Readonly<Record<string, unknown>>;

/** `down`: every request gets 503. `silent`: no request gets a response. */
type Mode = 'up' | 'down' | 'silent';

/**
 * A real OpenID Connect provider (oidc-provider) on a free port, whose sign-in page accepts any login name. Its host is
 * `localhost`, which browsers treat as another site than a service at 127.0.0.1. It is down at first.
 */
export class TestOpenIdProvider {
  /** By login name. */
  readonly users = new Map<string, ProviderUser>();
  mode: Mode = 'down';
  /** Changes the claims of ID tokens before they are signed. */
  changeClaims: ((claims: Claims) => Claims) | undefined;
  /** Signs ID tokens; by default with the key that the provider publishes. */
  signingKey: KeyObject | undefined;
  private readonly key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  private handler: ReturnType<Provider['callback']> | undefined;

  private constructor(
    private readonly server: Server,
    readonly issuer: string,
  ) {}

  static async start(): Promise<TestOpenIdProvider> {
    const server = createServer((request, response) => provider.answer(request, response));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    const provider = new TestOpenIdProvider(server, `http://localhost:${port}`);
    return provider;
  }

  /** The variables of a service that uses it. */
  get env(): Readonly<Record<string, string>> {
    return {
      OIDC_ISSUER: this.issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_NAME: 'Example ID',
    };
  }

  /** Starts serving a service. @param publicUrl of the service */
  serve(publicUrl: string): void {
    const provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          redirect_uris: [`${publicUrl}/dashboard/api/sign-in/oidc/callback`],
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      cookies: { keys: ['a cookie key that only tests know'] },
      jwks: { keys: [{ ...this.key.export({ format: 'jwk' }), kid: 'test', use: 'sig', alg: 'RS256' }] },
      pkce: { required: () => true },
      ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
      findAccount: (_, sub) => ({
        accountId: sub,
        claims: () => {
          const { email, isVerified } = this.users.get(sub) ?? {};
          return { sub, ...(email === undefined ? {} : { email, email_verified: isVerified }) };
        },
      }),
    });
    this.handler = provider.callback();
    this.mode = 'up';
  }

  /** Restores the state after `serve`. */
  reset(): void {
    this.mode = 'up';
    this.changeClaims = undefined;
    this.signingKey = undefined;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => {
      this.server.close(resolve);
    });
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    if (this.mode === 'silent') return;
    // On a busy machine, a connection may be reused after it was closed.
    response.setHeader('connection', 'close');
    if (this.mode === 'down' || this.handler === undefined) {
      response.writeHead(503).end();
      return;
    }
    if (request.url === '/token') this.resignTokens(response);
    void this.handler(request, response);
  }

  private resignTokens(response: ServerResponse): void {
    const end = response.end.bind(response);
    response.end = ((body: string) => {
      const answer = JSON.parse(body) as { id_token?: string };
      if (answer.id_token !== undefined) answer.id_token = this.resigned(answer.id_token);
      const text = JSON.stringify(answer);
      response.setHeader('content-length', Buffer.byteLength(text));
      return end(text);
    }) as ServerResponse['end'];
  }

  private resigned(token: string): string {
    const [header = '', payload = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;
    const changed = JSON.stringify(this.changeClaims?.(claims) ?? claims);
    const signed = `${header}.${Buffer.from(changed).toString('base64url')}`;
    const signature = createSign('RSA-SHA256')
      .update(signed)
      .sign(this.signingKey ?? this.key, 'base64url');
    return `${signed}.${signature}`;
  }
}
