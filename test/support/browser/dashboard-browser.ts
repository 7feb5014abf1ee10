import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { withFileLock } from '../../../src/infra/processes/file-lock.mjs';
import { NODE_MODULES } from '../../../scripts/lib/paths.mjs';
import { ensureWebBuild, isWebBuildCurrent } from '../../../scripts/lib/web-build.mjs';
import { expect } from 'vitest';
import { openBrowser, type TestBrowser } from './browser.js';
import { inspectPage } from './inspect-page.js';
import { type FlowOptions, FlowService } from '../roles/flow-service.js';
import { SharedService } from '../roles/shared-service.js';

export const PASSWORD = 'correct horse battery staple';

interface Viewport {
  readonly width: number;
  readonly height: number;
}

export interface DashboardOptions extends FlowOptions {
  readonly viewport?: Viewport;
}

/** The built dashboard of a real service in a real browser. */
export class Dashboard<Service extends SharedService | FlowService = FlowService> {
  /** Everything that went wrong in the page: exceptions, blocked content, unexpected responses. */
  readonly faults: string[] = [];

  private constructor(
    readonly service: Service,
    private readonly browser: TestBrowser,
    readonly page: Page,
  ) {
    page.on('pageerror', (error) => this.faults.push(String(error)));
    page.on('console', (message) => {
      // The browser logs a refused request, but that is a response of the service, which the page shows in words.
      const isAnswer = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isAnswer) this.faults.push(message.text());
    });
    page.on('response', (response) => {
      if (response.status() >= 500) this.faults.push(`${response.status()} ${response.url()}`);
    });
  }

  /** Starts a service of its own. Default: with all models. */
  static async start({ viewport, ...options }: DashboardOptions = {}): Promise<Dashboard> {
    await ensureDashboardBuild();
    return Dashboard.over(await FlowService.start({ models: 'all', ...options }), viewport);
  }

  /** Uses the service that all specs share; accounts must have unique email addresses. */
  static async join(): Promise<Dashboard<SharedService>> {
    await ensureDashboardBuild();
    return Dashboard.over(await SharedService.join());
  }

  private static async over<Service extends SharedService | FlowService>(
    service: Service,
    viewport: Viewport = { width: 1280, height: 900 },
  ): Promise<Dashboard<Service>> {
    try {
      const browser = await openBrowser(viewport);
      return new Dashboard(service, browser, browser.page);
    } catch (error) {
      await service.close();
      throw error;
    }
  }

  async open(path: string): Promise<void> {
    await this.page.goto(`${this.service.baseUrl}${path}`);
  }

  /**
   * Creates an account with the requests of the sign-up form, whoever was signed in before, and opens the first page. Filling
   * in the form takes twice as much CPU time; `signUpWithForm` does.
   */
  async signUp(email: string): Promise<void> {
    const context = this.page.context();
    await context.clearCookies();
    const headers = {
      origin: this.service.baseUrl,
      'user-agent': await this.page.evaluate(() => navigator.userAgent),
    };
    for (const path of ['/sign-up', '/sign-in']) {
      const answer = await context.request.post(`${this.service.baseUrl}/dashboard/api${path}`, {
        headers,
        data: { email, password: PASSWORD },
      });
      if (!answer.ok()) throw new Error(`POST ${path}: ${await answer.text()}`);
    }
    await this.open('/playground');
    await this.heading('Playground').waitFor();
  }

  /** Creates an account like a person. */
  async signUpWithForm(email: string): Promise<void> {
    await this.page.context().clearCookies();
    await this.open('/sign-up');
    await this.page.getByLabel('Email address').fill(email);
    await this.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await this.button('Create account').click();
    await this.heading('Playground').waitFor();
  }

  /** Creates an account whose user may see the operator console. */
  async signUpOperator(email: string): Promise<void> {
    await this.signUp(email);
    await this.service.database.rows('UPDATE accounts SET operator_since = now() WHERE email = $1', [email]);
  }

  /** Sends a request from the page, with the cookie and the token of the current user. */
  async call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await this.page.evaluate(
      async ([verb, address, content]) => {
        const session = await (await fetch('/dashboard/api/session')).json();
        const response = await fetch(`/dashboard/api${address}`, {
          method: verb,
          headers: { 'x-csrf-token': session.csrfToken, 'content-type': 'application/json' },
          ...(content === undefined ? {} : { body: content }),
        });
        return { isFine: response.ok, text: await response.text() };
      },
      [method, path, body === undefined ? undefined : JSON.stringify(body)] as const,
    );
    if (!answer.isFine) throw new Error(`${method} ${path}: ${answer.text}`);
    return JSON.parse(answer.text) as Answer;
  }

  /** Uploads a photo from the page. @returns the URL to create jobs with */
  async upload(bytes: Buffer): Promise<string> {
    return this.page.evaluate(async (base64) => {
      const session = await (await fetch('/dashboard/api/session')).json();
      const form = new FormData();
      form.append(
        'file',
        new Blob([Uint8Array.from(atob(base64), (byte) => byte.codePointAt(0)!)]),
        'photo.jpg',
      );
      const headers = { 'x-csrf-token': session.csrfToken as string };
      const answer = await fetch('/dashboard/api/ai/upload', { method: 'POST', headers, body: form });
      return ((await answer.json()) as { url: string }).url;
    }, bytes.toString('base64'));
  }

  /** Opens a page through the navigation, like a person. */
  async go(name: string): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
    await this.heading(name).waitFor();
  }

  heading(name: string): Locator {
    return this.page.getByRole('heading', { level: 1, name });
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** The link to a section of the operator console. */
  consoleLink(name: string): Locator {
    return this.page.getByRole('navigation', { name: 'Operator console' }).getByRole('link', { name });
  }

  /** Inspects the page once everything on it is loaded. */
  async inspect(name: string): Promise<void> {
    await expect.poll(() => this.page.locator('[aria-label="Loading"]').count()).toBe(0);
    await inspectPage(this.page, name);
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.service.close();
  }
}

let isCurrent = false;

async function ensureDashboardBuild(): Promise<void> {
  // A check takes 20 ms of CPU, and every dashboard of a spec asks.
  isCurrent ||= isWebBuildCurrent();
  if (isCurrent) return;
  const say = (text: string) => void process.stderr.write(`${text}\n`);
  await withFileLock(join(NODE_MODULES, '.setup.lock'), say, () => ensureWebBuild(say));
}
