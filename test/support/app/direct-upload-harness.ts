import { expect } from 'vitest';
import type { DirectUploadDto } from '../../../src/uploads/direct/direct-upload.dto.js';
import { ObjectStore } from '../../../src/infra/storage/object-store.js';
import { S3Server } from '../storage/s3-server.js';
import { type Harness, startHarness } from './harness.js';

/** The application with a real S3 server that clients can reach. */
export class DirectUploadHarness {
  private constructor(
    readonly server: S3Server,
    readonly harness: Harness,
  ) {}

  static async start(): Promise<DirectUploadHarness> {
    const server = await S3Server.start();
    // The AWS SDK reads them from the environment of the process.
    Object.assign(process.env, server.credentials);
    const env = { ...server.environment(), OBJECT_URLS: 'direct' };
    return new DirectUploadHarness(server, await startHarness({ env }));
  }

  /** Creates a direct upload for these bytes, and expects success. */
  async create(key: string, bytes: Buffer, given: object = {}): Promise<DirectUploadDto> {
    const json = { bytes: bytes.length, ...given };
    const { status, body, text } = await this.harness.call('POST', '/api/ai/uploads', { key, json });
    expect(status, text).toBe(201);
    return body as DirectUploadDto;
  }

  /** Sends bytes to the store like a client. @returns the status of the store */
  async send({ uploadUrl, method, headers }: DirectUploadDto, bytes: Buffer): Promise<number> {
    return (await fetch(uploadUrl, { method, headers, body: new Uint8Array(bytes) })).status;
  }

  complete(key: string, id: string) {
    return this.harness.call('POST', `/api/ai/uploads/${id}/complete`, { key });
  }

  /** Everything that completing an upload could leave behind. */
  async footprint(): Promise<unknown> {
    const keys: string[] = [];
    // Includes keys of the next second: a clock may tick between write and count.
    for await (const key of this.harness.app.get(ObjectStore).keysOlderThan(-1_000)) keys.push(key);
    const [rows] = await this.harness.rows(
      `SELECT (SELECT count(*) FROM sources) AS sources, (SELECT count(*) FROM events) AS events,
              (SELECT coalesce(sum(used_bytes), 0) FROM storage_usage) AS bytes`,
    );
    return { rows, keys: keys.toSorted() };
  }

  async close(): Promise<void> {
    await this.harness.close();
    await this.server.close();
  }
}
