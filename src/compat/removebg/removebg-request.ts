import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from '../../common/requests/request-context.js';
import { isForm, isJson } from '../../common/validation/valid-body.js';
import { invalidRequest } from '../../common/validation/validation.pipe.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { AppError } from '../../kernel/app-error.js';
import { Permits } from '../../kernel/permits/permits.js';
import type { Principal } from '../../kernel/principal.js';
import type { BackgroundPictureDto } from '../../jobs/creation/output/output.dto.js';
import type { ProgressLimits } from '../../uploads/receiving/body-guard.js';
import { receiveForm } from '../../uploads/receiving/multipart-form.js';
import { type ReceivedFile, tooLarge, type WriteChunk } from '../../uploads/receiving/received-file.js';
import { SourceIntake } from '../../uploads/receiving/source-intake.js';
import { UrlFetch } from '../../uploads/receiving/url-fetch.js';
import type { RemovalOrder } from '../background-removal.js';
import { declaredBytes, readBody } from '../raw-body.js';
import { base64Bytes, escapedBase64Bytes } from './base64-size.js';
import { BodyMemory, type LentMemory } from './body-memory.js';
import { type Fields, givenFields, outputOf } from './removebg-fields.js';
import { refuseWideBody } from './wide-body.js';

/** Bodies and fields up to this size need no reserved memory: the number of uploads limits them. */
const SMALL_BYTES = 16 * 1024;
const MAX_FIELDS = 40;

const BASE64 = 'image_file_b64';
const IMAGE_URL = 'image_url';
const BACKGROUND = 'bg_image_url';

const NO_SOURCE = {
  code: 'missing_source',
  message: 'No image given. Send image_file, image_url or image_file_b64.',
};
const SEVERAL_SOURCES = {
  code: 'multiple_sources',
  message: 'Several images given. Send only one of image_file, image_url and image_file_b64.',
};
const NOT_BASE64 = { code: `invalid_${BASE64}`, message: `${BASE64} must be the Base64 of an image.` };

/** What a body asks for. */
interface Read {
  /** The image, or the URL that it comes from. */
  readonly source: ReceivedFile | string;
  readonly output: RemovalOrder['output'];
  readonly backgroundUrl: string | undefined;
}

/** Reads the body formats of remove.bg: JSON, a form with a file, or a URL-encoded form. */
@Injectable()
export class RemoveBgRequests {
  /** Only one body is parsed or decoded at a time, because that takes several times its size. */
  private readonly parsing = new Permits(1);

  private readonly progress: ProgressLimits;
  private readonly maxFileBytes: number;

  constructor(
    private readonly urls: UrlFetch,
    private readonly intake: SourceIntake,
    private readonly memory: BodyMemory,
    @Inject(CONFIG) config: Config,
  ) {
    this.progress = {
      idleTimeoutMs: config.uploadIdleTimeoutMs,
      minProgressBytes: config.uploadMinProgressBytes,
    };
    this.maxFileBytes = config.uploadMaxBytes;
  }

  /** @throws AppError `invalid_request`; the errors of uploads by form or URL, and of BodyMemory */
  async read(
    principal: Principal,
    request: FastifyRequest,
    write: WriteChunk,
    gone: AbortSignal,
  ): Promise<RemovalOrder> {
    // Returns the memory before anything is fetched, which may take long.
    const { source, output, backgroundUrl } = await this.memory.lend(principal.accountId, gone, (memory) =>
      this.readBody(request, memory, write),
    );
    const file =
      typeof source === 'string' ? await this.urls.receive(source, IMAGE_URL, gone, write) : source;
    if (backgroundUrl !== undefined)
      output.background = await this.receiveBackground(principal, backgroundUrl, gone);
    return { output, file };
  }

  private async readBody(request: FastifyRequest, memory: LentMemory, write: WriteChunk): Promise<Read> {
    const { file, fields } = isForm(request)
      ? await this.readForm(request, memory, write)
      : await this.readFields(request, memory);
    refuseUnlessOneSource(file, fields);
    const output = outputOf(fields);
    const backgroundUrl = this.urlIn(fields, BACKGROUND);
    const source = file ?? this.urlIn(fields, IMAGE_URL) ?? (await this.writeSource(fields, write));
    return { source, output, backgroundUrl };
  }

  private urlIn(fields: Fields, field: string): string | undefined {
    const url = fields.get(field);
    if (url === undefined) return undefined;
    this.urls.check(url, field);
    // A copy, because a part of the text of a body would keep the whole text in memory.
    return Buffer.from(url).toString();
  }

  /** Fetches the background picture as a separate upload. */
  private async receiveBackground(
    principal: Principal,
    url: string,
    gone: AbortSignal,
  ): Promise<BackgroundPictureDto> {
    const { body } = await this.intake.receive(
      principal,
      (write) => this.urls.receive(url, BACKGROUND, gone, write),
      { key: undefined, fingerprint: () => '', answer: async (_tx, source) => source },
    );
    return { sourceUrl: body.url, fit: 'cover' };
  }

  private async readForm(
    { raw }: FastifyRequest,
    memory: LentMemory,
    write: WriteChunk,
  ): Promise<{ file: ReceivedFile | undefined; fields: Fields }> {
    const maxBytes = base64Bytes(this.maxFileBytes);
    const limits = {
      ...this.progress,
      hold: memory,
      maxBytes: this.maxFileBytes,
      maxFramingBytes: maxBytes,
    };
    const formBytes = Number(raw.headers['content-length'] ?? maxBytes);
    const shape = {
      fileField: 'image_file',
      maxFields: MAX_FIELDS,
      maxFieldBytes: SMALL_BYTES,
      longField: { name: BASE64, maxBytes, reserve: () => memory.reserve(Math.min(formBytes, maxBytes)) },
    };
    const { file, fields } = await receiveForm(raw, limits, shape, write);
    return { file, fields: givenFields(fields) };
  }

  private async readFields(
    request: FastifyRequest,
    memory: LentMemory,
  ): Promise<{ file: undefined; fields: Fields }> {
    const isUrlEncoded = /^application\/x-www-form-urlencoded/i.test(request.headers['content-type'] ?? '');
    if (!isUrlEncoded && !isJson(request)) {
      throw new AppError('unsupported_media_type', {
        detail: 'Send multipart/form-data, application/json or application/x-www-form-urlencoded.',
      });
    }
    const maxBytes = (isUrlEncoded ? escapedBase64Bytes : base64Bytes)(this.maxFileBytes);
    const bytes = declaredBytes(request.raw, maxBytes);
    if (bytes !== undefined && bytes > SMALL_BYTES) await memory.reserve(bytes);
    // Without a declared size, most bodies are small, too.
    const long = { afterBytes: SMALL_BYTES, reserve: () => memory.reserve(maxBytes) };
    const limits = { ...this.progress, hold: memory };
    const body = await readBody(request.raw, maxBytes, limits, bytes === undefined ? long : undefined);
    const fields = await this.parsing.run(async () => {
      const text = body.text();
      refuseWideBody(text, isUrlEncoded, MAX_FIELDS);
      return givenFields(isUrlEncoded ? new URLSearchParams(text) : Object.entries(parseObject(text)));
    });
    return { file: undefined, fields };
  }

  private writeSource(fields: Fields, write: WriteChunk): Promise<ReceivedFile> {
    return this.parsing.run(() => this.writeBase64(fields.get(BASE64) ?? '', write));
  }

  private async writeBase64(text: string, write: WriteChunk): Promise<ReceivedFile> {
    const bytes = Buffer.from(text.replace(/^data:[^,]{0,100},/, ''), 'base64');
    if (bytes.length === 0) throw invalidRequest([{ field: BASE64, ...NOT_BASE64 }]);
    if (bytes.length > this.maxFileBytes) throw tooLarge(this.maxFileBytes);
    await write(bytes);
    return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex'), name: null };
  }
}

function refuseUnlessOneSource(file: ReceivedFile | undefined, fields: Fields): void {
  const named = [IMAGE_URL, BASE64].filter((name) => fields.has(name));
  const count = named.length + (file === undefined ? 0 : 1);
  if (count === 1) return;
  throw invalidRequest([{ field: 'image_file', ...(count === 0 ? NO_SOURCE : SEVERAL_SOURCES) }]);
}

function parseObject(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new AppError('malformed_json', { detail: 'The body is not a JSON object.' });
  return value;
}
