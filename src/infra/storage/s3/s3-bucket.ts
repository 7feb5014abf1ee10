import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  type MultipartUpload,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { splitObjectKey } from '../object-key.js';
import type { ByteRange } from '../object-store.js';
import { storageUnavailable } from '../storage-fault.js';
import { newS3Client } from './new-s3-client.js';
import { isConditionRefused, isMissing, isRefused, refuseStoreFault } from './s3-fault.js';
import type { S3Settings } from './s3-settings.js';
import { uploadFile, type UploadTarget } from './upload-file.js';

/** Readiness probes and small requests must fail before their callers give up. */
const PROBE_TIMEOUT_MS = 1_500;

/** An object whose body the store has started to send. */
export interface S3Answer {
  readonly body: Readable;
  /** Size of the body. */
  readonly sizeBytes: number;
  readonly etag: string | undefined;
}

/** A listed object. */
export interface S3Entry {
  readonly name: string;
  readonly sizeBytes: number;
  /** Changes when the object is rewritten. */
  readonly etag: string;
  readonly writtenAt: Date | undefined;
}

/** Options of a read. */
export interface S3Part {
  readonly range: ByteRange;
  /** The ETag that the object must still have. */
  readonly etag: string | undefined;
}

/** Requests to a bucket. Names are below the prefix. @throws AppError `gone` or `service_unavailable` */
export class S3Bucket {
  private readonly client: S3Client;
  private readonly prober: S3Client;

  constructor(private readonly settings: S3Settings) {
    this.client = newS3Client(settings);
    this.prober = newS3Client(settings, { maxAttempts: 1, timeoutMs: PROBE_TIMEOUT_MS });
  }

  /** Uploads a file. @throws errors of the file system unchanged */
  async sendFile(path: string, name: string, about: Partial<UploadTarget>): Promise<void> {
    const target = { ...about, ...this.address(name), ...this.encryption() };
    await uploadFile(this.client, target, path).catch(refuseUnlessLocal);
  }

  /** Copies an object inside the store. */
  async copy(from: string, to: string, about: Partial<UploadTarget>): Promise<void> {
    const { Bucket, Key } = this.address(from);
    const CopySource = [Bucket, ...Key.split('/')].map(encodeURIComponent).join('/');
    const target = { ...about, ...this.address(to), ...this.encryption() };
    await this.client
      .send(new CopyObjectCommand({ ...target, CopySource, MetadataDirective: 'REPLACE' }))
      .catch(refuseStoreFault);
  }

  /** Writes a small object if none exists. */
  async create(name: string, text: string): Promise<void> {
    const input = { ...this.address(name), ...this.encryption(), Body: Buffer.from(text), IfNoneMatch: '*' };
    try {
      await this.client.send(new PutObjectCommand(input));
    } catch (error) {
      if (!isConditionRefused(error)) refuseStoreFault(error);
    }
  }

  async get(name: string, part?: S3Part): Promise<S3Answer> {
    const asked = part === undefined ? {} : { Range: rangeHeader(part.range), IfMatch: part.etag };
    const answer = await this.client
      .send(new GetObjectCommand({ ...this.address(name), ...asked }))
      .catch(refuseStoreFault);
    return { body: answer.Body as Readable, sizeBytes: answer.ContentLength ?? 0, etag: answer.ETag };
  }

  /** Does nothing if the object does not exist. */
  async delete(name: string): Promise<void> {
    await this.client.send(new DeleteObjectCommand(this.address(name))).catch(refuseStoreFault);
  }

  /** Names of objects that are older than this. */
  async *namesOlderThan(ageMs: number): AsyncGenerator<string> {
    for await (const { name, writtenAt } of this.objects())
      if (writtenAt !== undefined && Date.now() - writtenAt.getTime() > ageMs) yield name;
  }

  /** Every object below the prefix. */
  async *objects(): AsyncGenerator<S3Entry> {
    const { bucket: Bucket, prefix: Prefix } = this.settings;
    let ContinuationToken: string | undefined;
    do {
      const page = await this.client
        .send(new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken }))
        .catch(refuseStoreFault);
      for (const { Key = '', Size = 0, ETag = '', LastModified } of page.Contents ?? [])
        yield { name: Key.slice(Prefix.length), sizeBytes: Size, etag: ETag, writtenAt: LastModified };
      ContinuationToken = page.IsTruncated === true ? page.NextContinuationToken : undefined;
    } while (ContinuationToken !== undefined);
  }

  /**
   * Aborts multipart uploads of the service that started longer ago than this.
   * @throws also when a store cannot list uploads
   */
  async abortUploadsOlderThan(ageMs: number): Promise<void> {
    const { bucket: Bucket, prefix } = this.settings;
    for await (const { Key = '', UploadId, Initiated } of this.multipartUploads()) {
      if (splitObjectKey(Key.slice(prefix.length)) === undefined) continue;
      if (Initiated === undefined || Date.now() - Initiated.getTime() <= ageMs) continue;
      await this.client
        .send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
        .catch(ignoreMissingUpload);
    }
  }

  private async *multipartUploads(): AsyncGenerator<MultipartUpload> {
    const { bucket: Bucket, prefix: Prefix } = this.settings;
    let KeyMarker: string | undefined;
    let UploadIdMarker: string | undefined;
    do {
      const page: ListMultipartUploadsCommandOutput = await this.client
        .send(new ListMultipartUploadsCommand({ Bucket, Prefix, KeyMarker, UploadIdMarker }))
        .catch(refuseStoreFault);
      yield* page.Uploads ?? [];
      KeyMarker = page.IsTruncated === true ? page.NextKeyMarker : undefined;
      UploadIdMarker = page.NextUploadIdMarker;
    } while (KeyMarker !== undefined);
  }

  /** @throws AppError `service_unavailable` if the bucket does not exist, refuses requests, or does not respond */
  async check(): Promise<void> {
    const { bucket: Bucket } = this.settings;
    await this.prober.send(new HeadBucketCommand({ Bucket })).catch(async (error: unknown) => {
      if (isMissing(error)) throw storageUnavailable(`the bucket ${Bucket} does not exist`, error);
      if (!isRefused(error)) refuseStoreFault(error);
      // The response to HEAD has no body, so only another request tells why it was refused.
      const { prefix: Prefix } = this.settings;
      await this.prober
        .send(new ListObjectsV2Command({ Bucket, Prefix, MaxKeys: 1 }))
        .catch(refuseStoreFault);
    });
  }

  close(): void {
    this.client.destroy();
    this.prober.destroy();
  }

  private address(name: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.settings.bucket, Key: `${this.settings.prefix}${name}` };
  }

  private encryption(): Partial<UploadTarget> {
    const { encryption, encryptionKeyId } = this.settings;
    if (encryption === undefined) return {};
    return {
      ServerSideEncryption: encryption,
      ...(encryptionKeyId === undefined ? {} : { SSEKMSKeyId: encryptionKeyId }),
    };
  }
}

function rangeHeader({ start, end }: ByteRange): string {
  return `bytes=${start}-${end}`;
}

/** An unreadable local file is not an error of the store. */
function refuseUnlessLocal(error: unknown): never {
  if (error instanceof Error && 'syscall' in error && 'path' in error) throw error;
  refuseStoreFault(error);
}

/** The upload was completed or aborted since it was listed. */
function ignoreMissingUpload(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'NoSuchUpload') refuseStoreFault(error);
}
