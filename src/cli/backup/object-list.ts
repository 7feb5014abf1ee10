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
  /** Hexadecimal. Known for sources and for copied objects. */
  readonly sha256?: string;
  /** The backup is complete without it, because thumbnails can be created again. */
  readonly optional?: true;
}

const PAGE = 1_000;

/** Object keys of one kind of rows: the page after an id. */
const SOURCES = `SELECT id, object_key AS key, bytes::float8 AS bytes, sha256 FROM sources
  WHERE deleted_at IS NULL AND id > $1 ORDER BY id LIMIT ${PAGE}`;
const RESULTS = `SELECT id, result_key AS key, result_bytes::float8 AS bytes, NULL AS sha256 FROM jobs
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
