import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Dispatcher, request } from 'undici';
import { invalidRequest } from '../../common/validation/validation.pipe.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { AddressRefused } from '../../infra/net/address-refused.js';
import { checkWebhookUrl } from '../../infra/net/check-webhook-url.js';
import { failureText } from '../../infra/net/failure-text.js';
import { createOutboundAgent } from '../../infra/net/outbound-agent.js';
import type { OutboundPolicy } from '../../infra/net/outbound-policy.js';
import { AppError } from '../../kernel/app-error.js';
import { secondsText } from '../../kernel/time/seconds-text.js';
import { cleanFileName } from './file-name.js';
import {
  ClientDisconnected,
  type ReceivedFile,
  tooLarge,
  type WriteChunk,
  writeStream,
} from './received-file.js';

const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const HEADERS = {
  accept: 'image/avif,image/webp,image/png,image/jpeg,image/*;q=0.8',
  'accept-encoding': 'identity',
  'user-agent': 'image-enhancement-service/0.1',
};

/** A file from a URL, with the name that its server gives it. */
export interface FetchedFile extends ReceivedFile {
  /** `Content-Type` of the response; empty when it has none. */
  readonly declaredType: string;
}

/**
 * Fetches files from URLs of clients. Connects only to checked addresses, even after a redirect: see
 * `createOutboundAgent`.
 */
@Injectable()
export class UrlFetch implements OnApplicationShutdown {
  private readonly policy: OutboundPolicy;
  private readonly outbound: Dispatcher;
  private readonly timeoutMs: number;

  constructor(@Inject(CONFIG) private readonly config: Config) {
    this.policy = {
      allowHttp: config.uploadFromUrlAllowHttp,
      allowNetworks: config.uploadFromUrlAllowNetworks,
    };
    this.timeoutMs = config.uploadFromUrlTimeoutMs;
    this.outbound = createOutboundAgent({ ...this.policy, connectTimeoutMs: this.timeoutMs });
  }

  /** Refuses what can be refused before anything is fetched. @throws AppError `feature_disabled`, `invalid_request` */
  check(url: string, field: string): void {
    if (this.config.uploadFromUrl === 'off') {
      throw new AppError('feature_disabled', {
        detail: 'Uploads from URLs are disabled on this service. Upload the file itself.',
      });
    }
    const fault = checkWebhookUrl(url, this.policy);
    if (fault !== null) throw refused(field, fault);
  }

  /**
   * Streams the file at a URL into `write`, following at most three redirects.
   * @param field the field of the request that the URL comes from
   * @param gone aborted when the client disconnects
   * @throws AppError `invalid_request`, `url_fetch_failed`, `payload_too_large`; ClientDisconnected
   */
  async receive(url: string, field: string, gone: AbortSignal, write: WriteChunk): Promise<FetchedFile> {
    const timeout = AbortSignal.timeout(this.timeoutMs);
    const writing = new Faults(write);
    try {
      const { response, at } = await this.follow(url, field, AbortSignal.any([timeout, gone]));
      return await this.readBody(response, at, field, writing.write);
    } catch (error) {
      if (error instanceof AppError || writing.hasThrown(error)) throw error;
      if (gone.aborted) throw new ClientDisconnected();
      if (timeout.aborted)
        throw failed(field, `The server did not send the file within ${secondsText(this.timeoutMs / 1000)}.`);
      if (error instanceof AddressRefused) throw refused(field, error.message);
      throw failed(field, failureText(error));
    }
  }

  /** @returns the final response and its URL */
  private async follow(
    url: string,
    field: string,
    signal: AbortSignal,
  ): Promise<{ readonly response: Dispatcher.ResponseData; readonly at: URL }> {
    let at = new URL(url);
    for (let redirects = 0; ; redirects += 1) {
      const response = await request(at, {
        dispatcher: this.outbound,
        method: 'GET',
        headers: HEADERS,
        signal,
      });
      const { location } = response.headers;
      if (!REDIRECTS.has(response.statusCode) || typeof location !== 'string') return { response, at };
      await response.body.dump({ limit: 0, signal }).catch(() => undefined);
      if (redirects === MAX_REDIRECTS)
        throw failed(field, `The server redirected more than ${MAX_REDIRECTS} times.`);
      if (!URL.canParse(location, at.href)) throw failed(field, 'The server redirected to an invalid URL.');
      at = new URL(location, at);
      const fault = checkWebhookUrl(at.href, this.policy);
      if (fault !== null)
        throw refused(field, `The server redirected to a URL that is not allowed: ${fault}`);
    }
  }

  private async readBody(
    { statusCode, headers, body }: Dispatcher.ResponseData,
    at: URL,
    field: string,
    write: WriteChunk,
  ): Promise<FetchedFile> {
    try {
      if (statusCode !== 200) throw failed(field, `The server responded with status ${statusCode}.`);
      const encoding = headers['content-encoding'];
      if (encoding !== undefined && encoding !== 'identity')
        throw failed(field, 'The server sent a compressed response, which is not supported.');
      const { uploadMaxBytes } = this.config;
      if (Number(headers['content-length'] ?? 0) > uploadMaxBytes) throw tooLarge(uploadMaxBytes);
      const content = await writeStream(body as AsyncIterable<Buffer>, uploadMaxBytes, write);
      const type = headers['content-type'];
      return { ...content, name: nameIn(at), declaredType: typeof type === 'string' ? type : '' };
    } finally {
      body.on('error', () => undefined);
      body.destroy();
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.outbound.destroy();
  }
}

/** Distinguishes errors of our storage from errors of the remote server. */
class Faults {
  private thrown: unknown;

  constructor(private readonly inner: WriteChunk) {}

  readonly write: WriteChunk = async (chunk) => {
    try {
      await this.inner(chunk);
    } catch (error) {
      this.thrown = error;
      throw error;
    }
  };

  hasThrown(error: unknown): boolean {
    return error !== undefined && error === this.thrown;
  }
}

/** The last segment of the path, as a file name. */
function nameIn({ pathname }: URL): string | null {
  const segment = pathname.split('/').at(-1) ?? '';
  try {
    return cleanFileName(decodeURIComponent(segment));
  } catch {
    return cleanFileName(segment);
  }
}

function refused(field: string, fault: string): AppError {
  return invalidRequest([{ field, code: 'address', message: `${field}: ${fault}` }]);
}

function failed(field: string, what: string): AppError {
  const message = `The file could not be fetched from the URL. ${what}`;
  return new AppError('url_fetch_failed', {
    detail: `${message} Check that the URL opens without a sign-in and returns the image itself, or upload the file.`,
    errors: [{ field, code: 'fetch', message }],
  });
}
