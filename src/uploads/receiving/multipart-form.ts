import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyFileStream, type BusboyHeaders } from '@fastify/busboy';
import { ContentDigest } from '../../common/requests/content-digest.js';
import { encodedBody, isEncoded } from '../../common/validation/request-body.js';
import { AppError } from '../../kernel/app-error.js';
import { BodyGuard, type ProgressLimits } from './body-guard.js';
import { CollectedBytes } from '../../common/requests/collected-bytes.js';
import { cleanFileName } from './file-name.js';
import { type ReceivedFile, tooLarge, type WriteChunk, writeStream } from './received-file.js';

export interface MultipartLimits extends ProgressLimits {
  /** Largest file; one byte more is refused. */
  readonly maxBytes: number;
  /** Largest body around the file: part headers, boundaries, preamble, fields. */
  readonly maxFramingBytes: number;
}

/** Which parts a form has. */
export interface FormShape {
  /** Name of the part that is the file. */
  readonly fileField: string;
  /** Number of text fields besides the file. With 0, the file must be the only part. */
  readonly maxFields: number;
  /** Largest text of one field. */
  readonly maxFieldBytes: number;
  /** The only field that may be longer. */
  readonly longField?: LongField;
  /** Runs when the file begins, with the fields before it. An error refuses the form before the file is read. */
  readonly beforeFile?: (fields: ReadonlyMap<string, string>) => Promise<void>;
}

/** A field that takes so much memory that the receiver must reserve it. */
export interface LongField {
  readonly name: string;
  readonly maxBytes: number;
  /** Called once, before more than `maxFieldBytes` are kept. An error refuses the form. */
  readonly reserve: () => Promise<void>;
}

export interface ReceivedForm {
  /** Undefined when there was no such part. */
  readonly file: ReceivedFile | undefined;
  /** Text of the other parts, by name. */
  readonly fields: ReadonlyMap<string, string>;
}

/** The parser skips parts without a name. Hundreds of thousands of empty ones would block the event loop. */
const MAX_NAMELESS_PARTS = 16;

/**
 * Streams the file of a multipart body into `write`, with back-pressure. Keeps one chunk and the fields in memory and
 * stops at the first error. Checks `Content-Digest`.
 * @throws AppError `invalid_multipart`, `unsupported_media_type`, `payload_too_large`, `upload_timeout`,
 * `content_digest_mismatch`; ClientDisconnected; whatever `beforeFile` throws
 */
export async function receiveForm(
  request: IncomingMessage,
  limits: MultipartLimits,
  shape: FormShape,
  write: WriteChunk,
): Promise<ReceivedForm> {
  const busboy = openBusboy(request, limits, shape);
  const digest = ContentDigest.of(request);
  const { maxBytes, maxFramingBytes } = limits;
  const bodyLimits = {
    ...limits,
    // Bytes before and after the part count, too. Otherwise they would be unlimited.
    maxBodyBytes: maxBytes + maxFramingBytes,
    tooLarge: () => tooLarge(maxBytes),
  };
  const guard = new BodyGuard(request, bodyLimits, digest);
  const parts = new FormParts(limits, shape, write, guard);
  try {
    const form = await new Promise<ReceivedForm>((resolve, reject) => {
      guard.begin(reject);
      busboy.on('error', (error: unknown) =>
        reject(notMultipart(shape, error instanceof Error ? error.message : '')),
      );
      busboy.on('partsLimit', () => reject(notMultipart(shape, 'there are too many parts')));
      busboy.on('file', (name, stream, fileName) => parts.take(name, stream, fileName, reject));
      busboy.on('finish', () => void parts.done().then(resolve, reject));
      request.pipe(busboy);
    });
    digest.verify();
    return form;
  } finally {
    guard.end();
    request.unpipe(busboy);
    // Later errors of the parser do not matter.
    busboy.on('error', () => undefined);
  }
}

/** The 400 of a form without its file. */
export function missingFile(shape: FormShape): AppError {
  return notMultipart(shape, `there is no part named "${shape.fileField}"`);
}

/** Reads the parts of a form one after the other. */
class FormParts {
  private parts = 0;
  private file: ReceivedFile | undefined;
  private readonly fields = new Map<string, string>();
  private readonly reading: Promise<void>[] = [];

  constructor(
    private readonly limits: MultipartLimits,
    private readonly shape: FormShape,
    private readonly write: WriteChunk,
    private readonly guard: BodyGuard,
  ) {}

  take(
    name: string,
    stream: BusboyFileStream,
    fileName: string | undefined,
    reject: (error: unknown) => void,
  ): void {
    // An unread part can still fail. Without an error listener, that would crash the process.
    stream.on('error', () => undefined);
    this.parts += 1;
    const fault = this.faultOf(name);
    if (fault !== undefined) {
      stream.resume();
      reject(notMultipart(this.shape, fault));
      return;
    }
    const work =
      name === this.shape.fileField ? this.readFile(stream, fileName) : this.readField(name, stream);
    work.catch(reject);
    this.reading.push(work);
  }

  async done(): Promise<ReceivedForm> {
    await Promise.all(this.reading);
    return { file: this.file, fields: this.fields };
  }

  private faultOf(name: string): string | undefined {
    const { fileField, maxFields } = this.shape;
    if (maxFields === 0) {
      if (this.parts > 1) return 'there is more than one part';
      return name === fileField ? undefined : `the part is named "${name}", not "${fileField}"`;
    }
    if (this.parts > maxFields + 1) return `there are more than ${maxFields + 1} parts`;
    const isTwice = name === fileField ? this.reading.length > this.fields.size : this.fields.has(name);
    return isTwice ? `there is more than one part named "${name}"` : undefined;
  }

  private async readFile(stream: BusboyFileStream, fileName: string | undefined): Promise<void> {
    const { beforeFile } = this.shape;
    if (beforeFile !== undefined) {
      const fields = await this.fieldsSoFar();
      await this.guard.whilePaused(() => beforeFile(fields));
    }
    const content = await writeStream(stream as AsyncIterable<Buffer>, this.limits.maxBytes, this.write);
    this.file = { ...content, name: cleanFileName(fileName) };
  }

  /** Without those of a small body that arrive meanwhile, which may be incomplete. */
  private async fieldsSoFar(): Promise<ReadonlyMap<string, string>> {
    const names = [...this.fields.keys()];
    await Promise.all(this.reading);
    return new Map(names.map((name) => [name, this.fields.get(name)!]));
  }

  private async readField(name: string, stream: BusboyFileStream): Promise<void> {
    this.fields.set(name, '');
    const { maxFieldBytes, longField } = this.shape;
    const text = new CollectedBytes();
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      const bytes = text.length + chunk.length;
      if (bytes > maxFieldBytes) {
        if (name !== longField?.name)
          throw notMultipart(this.shape, `the field "${name}" is longer than ${maxFieldBytes} bytes`);
        if (bytes > longField.maxBytes) throw tooLong(longField);
        if (text.length <= maxFieldBytes) await this.guard.whilePaused(longField.reserve);
      }
      text.add(chunk);
    }
    this.fields.set(name, text.text());
  }
}

function openBusboy(
  request: IncomingMessage,
  limits: MultipartLimits,
  shape: FormShape,
): InstanceType<typeof Busboy> {
  if (!/^multipart\/form-data/i.test(request.headers['content-type'] ?? '')) {
    throw notMultipart(shape, 'the Content-Type is not multipart/form-data');
  }
  if (isEncoded(request)) throw encodedBody();
  try {
    return new Busboy({
      headers: request.headers as BusboyHeaders,
      // Every part counts as a file, so that a field besides the file counts as a second part.
      isPartAFile: () => true,
      // Longer parts are cut off, and refused because they have one byte too many.
      limits: {
        fileSize: Math.max(limits.maxBytes, shape.longField?.maxBytes ?? 0) + 1,
        headerPairs: 50,
        parts: shape.maxFields + 1 + MAX_NAMELESS_PARTS,
      },
    });
  } catch (error) {
    throw notMultipart(shape, error instanceof Error ? error.message : '');
  }
}

function tooLong({ name, maxBytes }: LongField): AppError {
  return new AppError('payload_too_large', {
    detail: `The field "${name}" is longer than ${maxBytes} bytes. Nothing was stored.`,
  });
}

function notMultipart({ fileField, maxFields }: FormShape, reason: string): AppError {
  const expected =
    maxFields === 0
      ? `exactly one part named "${fileField}"`
      : `one part named "${fileField}" and text fields beside it`;
  return new AppError('invalid_multipart', {
    detail: `Send multipart/form-data with ${expected}: ${reason || 'the body is malformed'}.`,
  });
}
