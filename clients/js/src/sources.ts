import type { ApiPromise } from './http/api-promise.js';
import type { Source, SourceList } from './generated/schema.js';
import { deleteOnce } from './http/delete-once.js';
import type { Transport } from './http/transport.js';
import type { RequestOptions } from './options.js';
import { List } from './page.js';

/** Uploaded images. */
export class Sources {
  constructor(private readonly transport: Transport) {}

  get(id: string, options: RequestOptions = {}): ApiPromise<Source> {
    return this.transport.json({ method: 'GET', path: pathOf(id) }, options);
  }

  /** Newest first. */
  list(
    query: { readonly limit?: number | undefined; readonly cursor?: string | undefined } = {},
    options: RequestOptions = {},
  ): List<Source> {
    return new List((cursor) =>
      this.transport.json<SourceList>(
        { method: 'GET', path: '/ai/sources', query: { ...query, cursor: cursor ?? query.cursor } },
        options,
      ),
    );
  }

  /** Deletes an upload and frees its storage. Queued jobs with this source fail. Existing results stay. */
  async delete(id: string, options: RequestOptions = {}): Promise<void> {
    await deleteOnce(this.transport, pathOf(id), options);
  }
}

const pathOf = (id: string): string => `/ai/sources/${encodeURIComponent(id)}`;
