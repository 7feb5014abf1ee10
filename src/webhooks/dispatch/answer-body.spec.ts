import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readAnswerStart } from './answer-body.js';

const read = (...chunks: (Buffer | string)[]) =>
  readAnswerStart(Readable.from(chunks.map((chunk) => Buffer.from(chunk as string))));

describe('readAnswerStart', () => {
  it('returns a short response unchanged', async () => {
    expect(await read('ok')).toEqual({ text: 'ok', error: null });
    expect(await read()).toEqual({ text: '', error: null });
  });

  it.each([
    ['ASCII', 'x'],
    ['two-byte letters', 'ü'],
    ['emoji', '🙂'],
  ])('keeps at most 4 kB of well-formed text: %s', async (_what, letter) => {
    const { text, error } = await read(letter.repeat(5_000));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_096);
    expect(Buffer.byteLength(text)).toBeGreaterThan(4_090);
    expect(error).toBeNull();
    expect(text.replaceAll(letter, '').replaceAll('�', '')).toBe('');
  });

  it('drops U+0000, which PostgreSQL refuses, and limits invalid UTF-8, too', async () => {
    expect((await read('a\0b')).text).toBe('ab');
    const { text } = await read(Buffer.alloc(5_000, 0xff));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_096);
  });

  it('stops reading an endless response, and destroys it', async () => {
    let given = 0;
    const endless = new Readable({
      read() {
        given += 1;
        this.push(Buffer.alloc(16_384, 'x'));
      },
    });
    const { text } = await readAnswerStart(endless);
    expect(text).toHaveLength(4_096);
    expect(endless.destroyed).toBe(true);
    expect(given).toBeLessThan(20);
  });

  it('waits a second for the rest of a stalled response, and keeps what arrived', async () => {
    const stalled = new Readable({ read: () => undefined });
    stalled.push('half');
    expect(await readAnswerStart(stalled)).toEqual({
      text: 'half',
      error: 'The response did not end in time, so the rest was not read.',
    });
  });

  it('keeps what arrived before the connection broke', async () => {
    const broken = new Readable({ read: () => undefined });
    broken.push('half');
    setTimeout(() => broken.destroy(new Error('reset')), 20);
    expect(await readAnswerStart(broken)).toEqual({
      text: 'half',
      error: 'The connection was lost in the middle of the response.',
    });
  });
});
