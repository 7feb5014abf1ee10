import {
  type ClientOptions,
  ImageEnhancement,
  type List,
  type RequestOptions,
} from 'image-enhancement-client';
import { type ApiRequest, Transport } from 'image-enhancement-client/http/transport.js';
import { WEB_PLATFORM } from 'image-enhancement-client/platform/web.js';
import { currentLocale } from '../i18n/locale.js';
import { observed } from './connection.js';
import { API_BASE } from './api-base.js';
import { withCsrfToken } from './session/session-fetch.js';

/** The session cookie replaces an API key. The query client decides about retries. */
export const CLIENT_OPTIONS: ClientOptions = {
  basePath: API_BASE,
  credentials: 'same-origin',
  fetch: withCsrfToken(observed((input, init) => fetch(input, inLanguage(init)))),
  maxRetries: 0,
  maxRateLimitWaitMs: 0,
};

/** Emails are written in the language of the dashboard, which may differ from that of the browser. */
function inLanguage(init: RequestInit | undefined): RequestInit {
  const headers = new Headers(init?.headers);
  headers.set('accept-language', currentLocale());
  return { ...init, headers };
}

/** Created on first use, because tests also load modules in environments without a page. */
const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => (made ??= make());
};

/** The customer API, with the permissions of the signed-in user. */
export const client = once(() => new ImageEnhancement(CLIENT_OPTIONS));

const session = once(() => new Transport(CLIENT_OPTIONS, WEB_PLATFORM));
const site = once(() => new Transport({ ...CLIENT_OPTIONS, basePath: '' }, WEB_PLATFORM));

/**
 * Requests a route that only the dashboard has.
 * @param read reads a successful response; default: as JSON
 * @throws ApiError, ConnectionError
 */
export function request<Answer>(
  asked: ApiRequest,
  options: RequestOptions = {},
  read: (response: Response) => Promise<Answer> = answerOf<Answer>,
): Promise<Answer> {
  return session().send(asked, options, read);
}

/** Requests a public page of the service, such as `/health/models`. */
export function readPublic<Answer>(path: string, options: RequestOptions): Promise<Answer> {
  return site().json<Answer>({ method: 'GET', path }, options);
}

/** Requests a route of the operator console. @throws ApiError, ConnectionError */
export function requestConsole<Answer>(
  { path, ...asked }: ApiRequest,
  options: RequestOptions = {},
): Promise<Answer> {
  return site().send({ ...asked, path: `/operator/api${path}` }, options, answerOf<Answer>);
}

async function answerOf<Answer>(response: Response): Promise<Answer> {
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}

/** One page of any list, newest first. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly hasMore: boolean;
  /** Pass it as `cursor` to get the next page. */
  readonly nextCursor: string | null;
}

/** The first page of a list, as plain data for the query client. */
export async function pageOf<Item>(list: List<Item>): Promise<Page<Item>> {
  const { data, hasMore, nextCursor } = await list;
  return { data, hasMore, nextCursor };
}
