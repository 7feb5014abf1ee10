import { pipeline, type Readable, Transform, type TransformCallback } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import type { OpenResult } from '../ephemeral-jobs.js';

const PREFIX = '{"data":{"result_b64":"';
const SUFFIX = '"}}';

/**
 * The JSON in which remove.bg returns a picture. It is encoded while it is sent, because the whole text and its copies
 * would take about nine times the size of the picture.
 */
export function base64Answer({ stream, sizeBytes }: OpenResult): StreamableFile {
  const length = PREFIX.length + 4 * Math.ceil(sizeBytes / 3) + SUFFIX.length;
  return new StreamableFile(encoded(stream), { type: 'application/json; charset=utf-8', length });
}

function encoded(picture: Readable): Readable {
  const encoder = new Base64Encoder();
  // An error of one stream destroys the other. The response handles errors of the encoder.
  pipeline(picture, encoder, () => undefined);
  return encoder;
}

class Base64Encoder extends Transform {
  /** At most two bytes. Base64 encodes three bytes at a time. */
  private rest: Buffer = Buffer.alloc(0);

  constructor() {
    super();
    this.push(PREFIX);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const whole = bytes.length - (bytes.length % 3);
    this.rest = bytes.subarray(whole);
    done(null, bytes.toString('base64', 0, whole));
  }

  override _flush(done: TransformCallback): void {
    done(null, this.rest.toString('base64') + SUFFIX);
  }
}
