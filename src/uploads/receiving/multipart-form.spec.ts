import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type FormShape, receiveForm } from './multipart-form.js';

const LIMITS = { maxBytes: 1_000, maxFramingBytes: 100_000, idleTimeoutMs: 1_000, minProgressBytes: 1 };
const SHAPE: FormShape = { fileField: 'photo', maxFields: 2, maxFieldBytes: 1_000 };

/** A form that has arrived completely. */
async function requestWith(form: FormData): Promise<IncomingMessage> {
  const encoded = new Response(form);
  const headers = { 'content-type': encoded.headers.get('content-type')! };
  const body = Readable.from([Buffer.from(await encoded.arrayBuffer())]);
  return Object.assign(body, { headers, complete: true }) as unknown as IncomingMessage;
}

async function receive(shape: Partial<FormShape>): Promise<Record<string, number>> {
  const form = new FormData();
  form.append('note', 'A'.repeat(20_000));
  form.append('photo', new Blob(['B'.repeat(500)]), 'photo.jpg');
  const note = { name: 'note', maxBytes: 50_000, reserve: async () => undefined };
  const { file, fields } = await receiveForm(
    await requestWith(form),
    LIMITS,
    { ...SHAPE, longField: note, ...shape },
    async () => undefined,
  );
  return { note: fields.get('note')!.length, photo: file!.bytes };
}

const longerThanTheDeadline = async (): Promise<void> => setTimeout(LIMITS.idleTimeoutMs * 1.5);

describe('receiveForm', () => {
  it('does not refuse a form as too slow while it waits for memory', async () => {
    const note = { name: 'note', maxBytes: 50_000, reserve: longerThanTheDeadline };
    expect(await receive({ longField: note })).toEqual({ note: 20_000, photo: 500 });
  });

  it('does not refuse a form as too slow while the fields before its file are checked', async () => {
    expect(await receive({ beforeFile: longerThanTheDeadline })).toEqual({ note: 20_000, photo: 500 });
  });

  it('refuses a form that does not end', async () => {
    const endless = Object.assign(new Readable({ read: () => undefined }), {
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    }) as unknown as IncomingMessage;
    await expect(receiveForm(endless, LIMITS, SHAPE, async () => undefined)).rejects.toMatchObject({
      code: 'upload_timeout',
    });
  });
});
