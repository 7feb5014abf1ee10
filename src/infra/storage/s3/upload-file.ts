import { open, type FileHandle } from 'node:fs/promises';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  type CompletedPart,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';

/** Above S3's minimum of 5 MiB. S3 allows 10,000 parts, so an object can have about 80 GiB. */
export const PART_BYTES = 8 * 2 ** 20;
/** Concurrent parts of one upload. Its memory is this number times `PART_BYTES`. */
const PARALLEL_PARTS = 3;
/** On a slow uplink, a part may take minutes. A store that stops reading ends it by the idle timeout of the client. */
const NO_ANSWER_TIMEOUT = { requestTimeout: 0 };

/** The destination of an object and its metadata. */
export type UploadTarget = Pick<
  PutObjectCommandInput,
  'Bucket' | 'Key' | 'CacheControl' | 'ContentType' | 'ServerSideEncryption' | 'SSEKMSKeyId'
>;

/**
 * Uploads a file: a small one in one request, a larger one in parts. Each part is in memory, so that it can be retried
 * with its checksum. The object becomes visible when the upload is complete.
 */
export async function uploadFile(client: S3Client, target: UploadTarget, path: string): Promise<void> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size <= PART_BYTES) {
      const Body = await readPart(file, 0, size);
      await client.send(new PutObjectCommand({ ...target, Body }), NO_ANSWER_TIMEOUT);
    } else await uploadParts(client, target, file, size);
  } finally {
    await file.close();
  }
}

async function uploadParts(
  client: S3Client,
  target: UploadTarget,
  file: FileHandle,
  sizeBytes: number,
): Promise<void> {
  const { Bucket, Key } = target;
  const { UploadId } = await client.send(
    new CreateMultipartUploadCommand({ ...target, ChecksumAlgorithm: 'CRC32' }),
  );
  try {
    const Parts = await sendParts(client, { Bucket, Key, UploadId }, file, sizeBytes);
    await client.send(
      new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }),
    );
  } catch (error) {
    // If the abort fails, the sweep or the lifecycle rule of the bucket removes the upload.
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(() => undefined);
    throw error;
  }
}

async function sendParts(
  client: S3Client,
  upload: { Bucket: string | undefined; Key: string | undefined; UploadId: string | undefined },
  file: FileHandle,
  sizeBytes: number,
): Promise<CompletedPart[]> {
  const count = Math.ceil(sizeBytes / PART_BYTES);
  const sent: CompletedPart[] = [];
  let next = 0;
  let hasFailed = false;
  const sender = async (): Promise<void> => {
    while (next < count && !hasFailed) {
      const index = next;
      next += 1;
      const start = index * PART_BYTES;
      try {
        const Body = await readPart(file, start, Math.min(PART_BYTES, sizeBytes - start));
        const part = { ...upload, PartNumber: index + 1, Body, ChecksumAlgorithm: 'CRC32' as const };
        const { ETag, ChecksumCRC32 } = await client.send(new UploadPartCommand(part), NO_ANSWER_TIMEOUT);
        sent[index] = { ETag, ChecksumCRC32, PartNumber: index + 1 };
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: PARALLEL_PARTS }, sender));
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  return sent;
}

/** @throws Error when the file became shorter */
async function readPart(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const part = Buffer.allocUnsafeSlow(length);
  for (let done = 0; done < length;) {
    const { bytesRead } = await file.read(part, done, length - done, start + done);
    if (bytesRead === 0) throw new Error('the file was shortened while it was sent');
    done += bytesRead;
  }
  return part;
}
