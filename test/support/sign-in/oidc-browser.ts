import { expect } from 'vitest';
import { DashboardClient } from '../app/dashboard-client.js';
import { type Harness, PUBLIC_URL } from '../app/harness.js';
import { CookieJar } from '../network/cookie-jar.js';
import type { TestOpenIdProvider } from '../network/openid-provider.js';

/** How often the provider may redirect before it shows a page. */
const MAX_STEPS = 10;

let people = 0;

/** Adds a user with a unique email address to the provider. @returns the login name */
export function newProviderUser(provider: TestOpenIdProvider, email?: string, isVerified = true): string {
  const login = `subject-${(people += 1)}`;
  provider.users.set(login, { email: email ?? `${login}@example.org`, isVerified });
  return login;
}

/** A browser that goes to the provider, signs in there, and returns. */
export class OidcBrowser {
  readonly dashboard: DashboardClient;
  /** The cookies of the provider. */
  private readonly jar = new CookieJar();

  constructor(harness: Harness) {
    this.dashboard = new DashboardClient(harness);
  }

  /** Opens the sign-in. @returns where the service sends the browser */
  async begin(next = '/keys'): Promise<string> {
    return this.open(`/sign-in/oidc?next=${encodeURIComponent(next)}`);
  }

  /** Signs in at the provider. @returns the URL of the service that the browser is redirected to */
  async signInAtProvider(url: string, login: string): Promise<string> {
    let address = url;
    for (let step = 0; step < MAX_STEPS; step += 1) {
      if (address.startsWith(PUBLIC_URL)) return address;
      const answer = await this.jar.fetch(address);
      const location = answer.headers.get('location');
      if (location !== null) {
        address = new URL(location, address).href;
        continue;
      }
      const page = await answer.text();
      expect(answer.status, page).toBe(200);
      address = await this.submit(address, page, login);
    }
    throw new Error(`the provider does not send the browser back: ${address}`);
  }

  /** Returns from the provider. @returns the path of the page that the service shows */
  async comeBack(address: string): Promise<string> {
    const location = await this.open(address.slice(`${PUBLIC_URL}/dashboard/api`.length));
    expect(location.startsWith(PUBLIC_URL), location).toBe(true);
    return location.slice(PUBLIC_URL.length);
  }

  /** All of these steps. @returns the path of the page that the service shows */
  async signIn(login: string): Promise<string> {
    return this.comeBack(await this.signInAtProvider(await this.begin(), login));
  }

  /** The account that the browser is signed in to. */
  async account(): Promise<{ id: string; email: string } | null> {
    const { body } = await this.dashboard.call('GET', '/session');
    return (body as { account: { id: string; email: string } | null }).account;
  }

  private async open(path: string): Promise<string> {
    const { status, headers, text } = await this.dashboard.call('GET', path);
    expect(status, text).toBe(302);
    return String(headers['location']);
  }

  /** Fills in the provider's form for the login or for the consent. */
  private async submit(address: string, page: string, login: string): Promise<string> {
    const action = /action="([^"]+)"/.exec(page)![1]!;
    const prompt = /name="prompt" value="([^"]+)"/.exec(page)![1]!;
    const body = new URLSearchParams({ prompt, login, password: 'any' });
    const answer = await this.jar.fetch(new URL(action, address).href, { method: 'POST', body });
    return new URL(answer.headers.get('location')!, address).href;
  }
}
