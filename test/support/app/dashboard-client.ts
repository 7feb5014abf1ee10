import { expect } from 'vitest';
import type { Answer, CallOptions } from './api-client.js';
import type { Harness, TestAccount } from './harness.js';

export const PASSWORD = 'a cow jumped over the moon';
/** The service believes that it is reached over https. */
const COOKIE = /^__Host-ies_session=([\w-]{43}); /;
/** Cookies other than the session, by the field that holds them. */
const OTHERS = {
  pending: '__Host-ies_sign_in',
  passkey: '__Host-ies_passkey',
  oidc: '__Host-ies_oidc',
  link: '__Host-ies_link',
} as const;

/** Behaves like a browser: keeps the cookies, and sends the CSRF token with every change. */
export class DashboardClient {
  cookie: string | undefined;
  csrfToken: string | undefined;
  /** The cookie of a sign-in that waits for its second factor. */
  pending: string | undefined;
  /** The cookie of a passkey challenge. */
  passkey: string | undefined;
  /** The cookie of a sign-in at the OpenID provider. */
  oidc: string | undefined;
  /** The cookie of an identity that waits for its account. */
  link: string | undefined;
  private people = 0;

  constructor(private readonly harness: Harness) {}

  /** @param path below /dashboard/api */
  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const headers = {
      ...(this.cookies === undefined ? {} : { cookie: this.cookies }),
      ...(this.csrfToken === undefined || method === 'GET' ? {} : { 'x-csrf-token': this.csrfToken }),
      ...options.headers,
    };
    const answer = await this.harness.call(method, `/dashboard/api${path}`, { ...options, headers });
    this.keep(answer);
    return answer;
  }

  /** Signs up and signs in with an unused email address. */
  async newPerson(email = `someone${(this.people += 1)}-${Date.now()}@example.org`): Promise<TestPerson> {
    const json = { email, password: PASSWORD };
    expect((await this.call('POST', '/sign-up', { json })).status).toBe(202);
    return this.signIn(email);
  }

  async signIn(email: string, password = PASSWORD): Promise<TestPerson> {
    const { status, body, text } = await this.call('POST', '/sign-in', { json: { email, password } });
    expect(status, text).toBe(200);
    return { id: (body as { account: { id: string } }).account.id, email };
  }

  /** Signs in as the owner of an account that the harness created, with limits that no test reaches. */
  async signInto(account: TestAccount): Promise<TestPerson> {
    const [row] = await this.harness.rows<{ email: string }>('SELECT email FROM accounts WHERE id = $1', [
      account.id,
    ]);
    await this.harness.accountsOf.setPassword(account.id, await passwordHash());
    return this.signIn(row!.email);
  }

  private get cookies(): string | undefined {
    const cookies = [this.cookie, this.pending, this.passkey, this.oidc, this.link].filter(
      (cookie) => cookie !== undefined,
    );
    return cookies.length === 0 ? undefined : cookies.join('; ');
  }

  private keep(answer: Answer): void {
    const header = answer.headers['set-cookie'] as unknown as string[] | undefined;
    const set = header?.find((one) => one.startsWith('__Host-ies_session='));
    if (set !== undefined) this.cookie = COOKIE.test(set) ? set.split(';', 1)[0] : undefined;
    for (const [field, name] of Object.entries(OTHERS) as [keyof typeof OTHERS, string][]) {
      const cookie = header?.find((one) => one.startsWith(`${name}=`))?.split(';', 1)[0];
      if (cookie !== undefined) this[field] = cookie === `${name}=` ? undefined : cookie;
    }
    const { csrfToken } = (answer.body ?? {}) as { csrfToken?: string | null };
    if (csrfToken !== undefined) this.csrfToken = csrfToken ?? undefined;
  }
}

export interface TestPerson {
  readonly id: string;
  readonly email: string;
}

let hashed: Promise<string> | undefined;

/** The hash of PASSWORD; computed once, since it is slow on purpose. */
async function passwordHash(): Promise<string> {
  const { PasswordHasher } = await import('../../../src/infra/passwords/password-hasher.js');
  return (hashed ??= new PasswordHasher().hash(PASSWORD));
}
