import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import { freePort } from '../../../src/infra/database/embedded/free-port.js';
import { ListeningProgram } from '../roles/listening-program.js';

/** `GOBIN=~/.cache/versitygw/bin go install github.com/versity/versitygw/cmd/versitygw@latest` */
export const VERSITYGW = join(homedir(), '.cache/versitygw/bin/versitygw');
const S3RVER = join(import.meta.dirname, '../../../node_modules/s3rver/bin/s3rver.js');

export const S3_SERVERS = ['s3rver', 'versitygw'] as const;
export type S3ServerName = (typeof S3_SERVERS)[number];

/** What is missing to start this server here; undefined if nothing is. */
export function missingS3Server(name: S3ServerName): string | undefined {
  return name === 'versitygw' && !existsSync(VERSITYGW) ? 'versitygw in ~/.cache/versitygw/bin' : undefined;
}

/** A separate, real S3 server with one bucket. */
export class S3Server {
  readonly bucket = 'images';
  readonly accessKeyId = 'S3RVER';
  readonly secretAccessKey = 'S3RVER';
  private program: ListeningProgram | undefined;
  private restart: Promise<void> | undefined;

  private constructor(
    readonly name: S3ServerName,
    private readonly folder: string,
    private readonly port: number,
  ) {}

  static async start(name: S3ServerName = 's3rver'): Promise<S3Server> {
    const folder = await mkdtemp(join(tmpdir(), 'ies-s3-'));
    const server = new S3Server(name, folder, await freePort());
    try {
      await mkdir(join(folder, 'objects'));
      await mkdir(join(folder, 'metadata'));
      await server.mend();
      await server.makeBucket();
    } catch (error) {
      await server.close();
      throw error;
    }
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The credentials, as the AWS SDK reads them. */
  get credentials(): Readonly<Record<string, string>> {
    return { AWS_ACCESS_KEY_ID: this.accessKeyId, AWS_SECRET_ACCESS_KEY: this.secretAccessKey };
  }

  /** Variables of a service that keeps its objects here. */
  environment(endpoint = this.url, prefix = 'service'): Record<string, string> {
    return {
      ...this.credentials,
      OBJECT_STORE_URL: `s3://${this.bucket}/${prefix}`,
      S3_ENDPOINT: endpoint,
      S3_FORCE_PATH_STYLE: 'true',
    };
  }

  /** Ends the server with `kill -9`; its objects remain. */
  async cut(): Promise<void> {
    await this.restart;
    const program = this.program;
    this.program = undefined;
    await program?.close();
  }

  /** Restarts the server on the same port. */
  async mend(): Promise<void> {
    const program = await ListeningProgram.start(this.command(), { port: this.port, env: this.variables() });
    this.program = program;
    void this.restartAfter(program);
  }

  /** s3rver exits when some connections break during a transfer. A supervisor would restart it, too. */
  private async restartAfter(program: ListeningProgram): Promise<void> {
    await program.ended;
    if (this.program === program) this.restart = this.mend();
  }

  async close(): Promise<void> {
    await this.cut();
    await rm(this.folder, { recursive: true, force: true });
  }

  private command(): readonly string[] {
    const objects = join(this.folder, 'objects');
    if (this.name === 's3rver')
      return [process.execPath, S3RVER, '-s', '-d', objects, '-a', '127.0.0.1', '-p', String(this.port)];
    const listen = ['--port', `127.0.0.1:${this.port}`];
    return [VERSITYGW, ...listen, 'posix', '--sidecar', join(this.folder, 'metadata'), objects];
  }

  private variables(): Record<string, string> {
    return { ROOT_ACCESS_KEY: this.accessKeyId, ROOT_SECRET_KEY: this.secretAccessKey, VGW_QUIET: 'true' };
  }

  /** A client for the test itself. */
  client(): S3Client {
    const { accessKeyId, secretAccessKey } = this;
    return new S3Client({
      endpoint: this.url,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId, secretAccessKey },
    });
  }

  /** Keys of multipart uploads that were neither completed nor aborted. */
  async unfinishedUploads(): Promise<string[]> {
    const client = this.client();
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: this.bucket }));
    client.destroy();
    return Uploads.map(({ Key = '' }) => Key);
  }

  private async makeBucket(): Promise<void> {
    const client = this.client();
    await client.send(new CreateBucketCommand({ Bucket: this.bucket }));
    client.destroy();
  }
}
