import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InvalidImageError } from 'image-enhancement-client';
import { uploadPhoto } from './upload.js';

const REFUSED_TOKEN = { title: 'No', status: 403, detail: 'No.', code: 'csrf_refused' };
const NO_IMAGE = { title: 'No image', status: 415, detail: 'No.', code: 'unsupported_media_type' };

/** Accepts a photo with the token `new`, and refuses any other token. */
class FakeUpload extends EventTarget {
  static readonly tokens: string[] = [];
  static taken: object = { id: 'photo' };
  static takenStatus = 201;
  readonly upload = new EventTarget();
  status = 0;
  responseText = '';

  open(method: string, url: string): void {
    expect(`${method} ${url}`).toBe('POST http://dashboard.test/dashboard/api/ai/upload');
  }

  setRequestHeader(name: string, value: string): void {
    if (name === 'x-csrf-token') FakeUpload.tokens.push(value);
  }

  getAllResponseHeaders(): string {
    return 'content-type: application/json\r\n';
  }

  send(body: FormData): void {
    expect((body.get('file') as File).name).toBe('photo.jpg');
    const isTaken = FakeUpload.tokens.at(-1) === 'new';
    this.status = isTaken ? FakeUpload.takenStatus : 403;
    this.responseText = JSON.stringify(isTaken ? FakeUpload.taken : REFUSED_TOKEN);
    queueMicrotask(() => {
      this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded: 1, total: 2 }));
      this.dispatchEvent(new Event('load'));
    });
  }
}

describe('uploadPhoto', () => {
  const shares: number[] = [];
  const options = { onProgress: (share: number) => shares.push(share), signal: new AbortController().signal };
  const file = new File(['photo'], 'photo.jpg');

  beforeEach(() => {
    FakeUpload.tokens.length = 0;
    vi.stubGlobal('location', { origin: 'http://dashboard.test' });
    vi.stubGlobal('XMLHttpRequest', FakeUpload);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('reads a new token if another tab has signed in since, and reports progress', async () => {
    const tokens = ['old', 'new'];
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ csrfToken: tokens.shift() })));
    expect(await uploadPhoto(file, options)).toEqual({ id: 'photo' });
    expect(FakeUpload.tokens).toEqual(['old', 'new']);
    expect(shares).toContain(0.5);
  });

  it('throws the error of the service', async () => {
    Object.assign(FakeUpload, { taken: NO_IMAGE, takenStatus: 415 });
    await expect(uploadPhoto(file, options)).rejects.toBeInstanceOf(InvalidImageError);
  });
});
