import type { JobDto } from '../../../src/common/resources/job.dto.js';
import type { SourceDto } from '../../../src/common/resources/source.dto.js';
import { eventually } from './flow-wait.js';

/** A user of the dashboard, with requests as a browser sends them. */
export class FlowVisitor {
  private cookie = '';
  private csrfToken = '';

  private constructor(private readonly baseUrl: string) {}

  /** Creates an account and signs in. */
  static async signUp(baseUrl: string, email: string, password: string): Promise<FlowVisitor> {
    const visitor = new FlowVisitor(baseUrl);
    await visitor.expected(202, 'POST', '/sign-up', { email, password });
    const { csrfToken } = await visitor.expected<{ csrfToken: string }>(200, 'POST', '/sign-in', {
      email,
      password,
    });
    visitor.csrfToken = csrfToken;
    return visitor;
  }

  /** @param path below /dashboard/api. @throws Error for any other status */
  async expected<T>(status: number, method: string, path: string, body?: unknown): Promise<T> {
    const isForm = body instanceof FormData;
    const answer = await fetch(`${this.baseUrl}/dashboard/api${path}`, {
      method,
      headers: {
        cookie: this.cookie,
        'x-csrf-token': this.csrfToken,
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const [cookie] = answer.headers.getSetCookie();
    if (cookie !== undefined) this.cookie = cookie.split(';', 1)[0]!;
    const text = await answer.text();
    if (answer.status !== status) throw new Error(`${method} ${path} answers ${answer.status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  async upload(bytes: Uint8Array): Promise<SourceDto> {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(bytes)]), 'picture');
    return this.expected(201, 'POST', '/ai/upload', form);
  }

  /** Polls until the job is in this state. */
  async until(id: string, state: JobDto['status']): Promise<JobDto> {
    return eventually(`${id} to be ${state}`, async () => {
      const job = await this.expected<JobDto>(200, 'GET', `/ai/enhance/${id}`);
      return job.status === state ? { found: job } : { seen: job };
    });
  }
}
