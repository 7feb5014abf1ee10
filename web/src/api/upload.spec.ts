import { afterEach, describe, expect, it, vi } from 'vitest';
import { uploadPhoto } from './upload.js';

const PROBLEM = { title: 'No', status: 403, detail: 'No.', code: 'csrf_refused' };

/** Takes a photo with the token `new`, and refuses every other. */
class FakeUpload extends EventTarget {
  static readonly tokens: string[] = [];
  readonly upload = new EventTarget();
  status = 0;
  responseText = '';

  open(): void {
    // Where it goes is of no interest here.
  }

  setRequestHeader(_name: string, value: string): void {
    FakeUpload.tokens.push(value);
  }

  getResponseHeader(): null {
    return null;
  }

  send(): void {
    const isTaken = FakeUpload.tokens.at(-1) === 'new';
    this.status = isTaken ? 201 : 403;
    this.responseText = JSON.stringify(isTaken ? { id: 'photo' } : PROBLEM);
    queueMicrotask(() => this.dispatchEvent(new Event('load')));
  }
}

describe('uploadPhoto', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('reads the token anew when another tab has signed in since', async () => {
    const tokens = ['old', 'new'];
    vi.stubGlobal('XMLHttpRequest', FakeUpload);
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ csrfToken: tokens.shift() })));
    const file = new File(['photo'], 'photo.jpg');
    const options = { onProgress: () => undefined, signal: new AbortController().signal };
    expect(await uploadPhoto(file, options)).toEqual({ id: 'photo' });
    expect(FakeUpload.tokens).toEqual(['old', 'new']);
  });
});
