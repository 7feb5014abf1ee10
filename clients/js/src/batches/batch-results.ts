import { ImageEnhancementError } from '../errors.js';
import type { Transport } from '../http/transport.js';
import type { RequestOptions } from '../options.js';
import { ArchiveReader } from './archive-reader.js';

/** The progress of a download. */
export interface DownloadProgress {
  readonly receivedBytes: number;
  /** Null when the service did not send it. */
  readonly totalBytes: number | null;
}

/** How to download an archive. */
export interface DownloadOptions extends Pick<RequestOptions, 'signal' | 'maxRetries'> {
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
}

/** The results of a batch as a ZIP archive, `manifest.json` first. The archive is never in memory as a whole. */
export class BatchResults {
  readonly #transport: Transport;
  readonly #path: string;

  constructor(transport: Transport, path: string) {
    this.#transport = transport;
    this.#path = path;
  }

  /**
   * Streams the bytes of the archive. Resumes after a broken connection.
   * @throws ConflictError `batch_not_finished`; ImageEnhancementError `archive_changed` when a result was deleted in
   *   the meantime
   */
  stream(options: DownloadOptions = {}): ReadableStream<Uint8Array> {
    const onStart = () => {
      if (reader.receivedBytes > 0) throw archiveChanged();
    };
    const reader: ArchiveReader = new ArchiveReader(this.#transport, this.#path, { ...options, onStart });
    const chunks = told(reader, options);
    return new ReadableStream(
      {
        pull: async (controller) => {
          const { done, value } = await chunks.next();
          if (done === true) controller.close();
          else controller.enqueue(value);
        },
        cancel: async () => void (await chunks.return(undefined)),
      },
      { highWaterMark: 0 },
    );
  }

  /**
   * Writes the archive to a file, which appears complete or not at all. Not available in browsers. If the download
   * stops early, the received part stays in the same folder as `.<name>.<etag>.part`, and the next call resumes it,
   * even in another process.
   * @throws ConflictError `batch_not_finished`; ImageEnhancementError `not_saved` when the file cannot be written
   */
  async save(path: string, options: DownloadOptions = {}): Promise<void> {
    const file = await this.#transport.platform.resumableFile(path);
    try {
      const onStart = (etag: string | null) => file.restart(etag);
      const reader = new ArchiveReader(this.#transport, this.#path, { ...options, onStart }, file);
      for await (const chunk of told(reader, options)) await file.write(chunk);
      await file.keep();
    } finally {
      await file.close();
    }
  }
}

async function* told(
  reader: ArchiveReader,
  { onProgress }: DownloadOptions,
): AsyncGenerator<Uint8Array, undefined> {
  for await (const chunk of reader.chunks()) {
    yield chunk;
    const { totalBytes } = reader;
    onProgress?.({ receivedBytes: reader.receivedBytes + chunk.length, totalBytes });
  }
  return undefined;
}

function archiveChanged(): ImageEnhancementError {
  return new ImageEnhancementError(
    'archive_changed',
    'The archive has changed while it was read: a result was deleted or has expired. Read it again from the start.',
  );
}
