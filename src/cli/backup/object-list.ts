import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';

/** An object that a row of the backup refers to. */
export interface ListedObject {
  readonly key: string;
  /** Absent for thumbnails, which no row counts. */
  readonly bytes?: number;
  /** Hexadecimal. Known for sources, results and copied objects. */
  readonly sha256?: string;
  /** The backup is complete without it, because thumbnails can be created again. */
  readonly optional?: true;
}

const PAGE = 1_000;

/** Object keys of one kind of rows: the page after an id. */
const SOURCES = `SELECT id, object_key AS key, bytes::float8 AS bytes, sha256 FROM sources
  WHERE deleted_at IS NULL AND id > $1 ORDER BY id LIMIT ${PAGE}`;
const RESULTS = `SELECT id, result_key AS key, result_bytes::float8 AS bytes, result_sha256 AS sha256 FROM jobs
  WHERE result_key IS NOT NULL AND result_erased_at IS NULL AND id > $1 ORDER BY id LIMIT ${PAGE}`;

interface Row {
  readonly id: string;
  readonly key: string;
  readonly bytes: number | null;
  readonly sha256: string | null;
}

/** Every object that the rows refer to. Runs in the caller's transaction. @param thumbnailOf key of a row's thumbnail */
export async function* referencedObjects(
  client: ClientBase,
  thumbnailOf: (id: string) => string,
): AsyncGenerator<ListedObject> {
  for (const statement of [SOURCES, RESULTS]) {
    for (let after = ''; ;) {
      const { rows } = await client.query<Row>(statement, [after]);
      for (const { id, key, bytes, sha256 } of rows) {
        yield { key, ...(bytes !== null && { bytes }), ...(sha256 !== null && { sha256 }) };
        yield { key: thumbnailOf(id), optional: true };
      }
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.id;
    }
  }
}

/** The given keys that rows still refer to. The ids in the keys find the rows. */
const REFERENCED = `SELECT o.key FROM unnest($1::text[]) o(key)
  CROSS JOIN LATERAL substring(o.key FROM '(?:src|job)_[0-9a-f]{32}') row_id
  WHERE EXISTS (SELECT FROM sources s WHERE s.id = row_id AND s.object_key = o.key AND s.deleted_at IS NULL)
     OR EXISTS (SELECT FROM jobs j WHERE j.id = row_id AND j.result_key = o.key AND j.result_erased_at IS NULL)`;

/** Which of these objects rows refer to at this moment. */
export async function stillReferenced(client: ClientBase, keys: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (let at = 0; at < keys.length; at += PAGE) {
    const { rows } = await client.query<{ key: string }>(REFERENCED, [keys.slice(at, at + PAGE)]);
    found.push(...rows.map(({ key }) => key));
  }
  return found;
}

/** `objects.ndjson`: one object per line. */
export const objectList = {
  async write(dir: string, name: string, objects: AsyncIterable<ListedObject>): Promise<void> {
    const lines = async function* (): AsyncGenerator<string> {
      for await (const object of objects) yield `${JSON.stringify(object)}\n`;
    };
    await pipeline(Readable.from(lines()), createWriteStream(join(dir, name), { flags: 'wx', flush: true }));
  },

  async *read(dir: string, name: string): AsyncGenerator<ListedObject> {
    const lines = createInterface({ input: createReadStream(join(dir, name)), crlfDelay: Infinity });
    for await (const line of lines) if (line !== '') yield JSON.parse(line) as ListedObject;
  },
};

/** Its name in the finished backup, and its name until all objects are copied. */
export const OBJECT_LIST = 'objects.ndjson';
export const OBJECTS_TO_COPY = 'objects-to-copy.ndjson';
