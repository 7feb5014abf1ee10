import { describe, expect, it } from 'vitest';
import { EXAMPLE_BATCH, exampleJob } from './schemas/examples.js';
import { eventBody, MAX_BODY_BYTES } from './event-body.js';

const EVENT = {
  id: `evt_${'0'.repeat(32)}`,
  type: 'enhancement.completed',
  createdAt: new Date('2026-11-21T08:00:00Z'),
  livemode: true,
} as const;

const bodyOf = (metadata: Record<string, string>) =>
  eventBody({ ...EVENT, data: { job: Object.assign(exampleJob('completed'), { metadata }) } });

interface Parsed {
  data: { job: { id: string; metadata: Record<string, string>; metadataShortened?: true } };
}

describe('eventBody', () => {
  it('consists of id, type, time, mode, and data, in that order', () => {
    const body = eventBody({ ...EVENT, data: { upload: { id: 'src_1' } } });
    expect(body).toBe(
      `{"id":"${EVENT.id}","type":"enhancement.completed","createdAt":"2026-11-21T08:00:00.000Z","livemode":true,"data":{"upload":{"id":"src_1"}}}`,
    );
  });

  it('keeps metadata that fits unchanged', () => {
    const metadata = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`name${i}`, 'x'.repeat(500)]));
    const { job } = (JSON.parse(bodyOf(metadata)) as Parsed).data;
    expect(job.metadata).toEqual(metadata);
    expect(job).not.toHaveProperty('metadataShortened');
  });

  it.each([
    ['three-byte letters', 'ㄅ'.repeat(500)],
    ['emoji', '🙂'.repeat(250)],
    ['control characters, six bytes each', '\u0001'.repeat(500)],
    ['quotes', '"'.repeat(500)],
  ])('stays below the limit whatever the metadata: %s', (_what, value) => {
    const name = (index: number) => `${String(index).padStart(2, '0')}${'ㄅ'.repeat(38)}`;
    const metadata = Object.fromEntries([...Array(20).keys()].map((index) => [name(index), value]));
    const small = { orderId: '4711', ...metadata, user: 'u_1' };
    const body = bodyOf(small);
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(MAX_BODY_BYTES);
    const { job } = (JSON.parse(body) as Parsed).data;
    expect(job.id).toBe(exampleJob('completed').id);
    expect(job.metadata).toMatchObject({ orderId: '4711', user: 'u_1' });
    if (Buffer.byteLength(JSON.stringify(small)) > MAX_BODY_BYTES) {
      expect(job.metadataShortened).toBe(true);
      expect(Object.keys(job.metadata).length).toBeGreaterThan(2);
    }
  });

  it('shortens the metadata of a batch, too', () => {
    const metadata = Object.fromEntries(
      Array.from({ length: 20 }, (_, i) => [`n${i}`, '\u0002'.repeat(400)]),
    );
    const body = eventBody({
      ...EVENT,
      type: 'batch.completed',
      data: { batch: Object.assign({}, EXAMPLE_BATCH, { metadata }) },
    });
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(MAX_BODY_BYTES);
    expect(JSON.parse(body)).toMatchObject({
      data: { batch: { id: EXAMPLE_BATCH.id, counts: EXAMPLE_BATCH.counts, metadataShortened: true } },
    });
  });

  it('returns the same bytes each time', () => {
    const metadata = Object.fromEntries(
      Array.from({ length: 20 }, (_, i) => [`n${i}`, '\u0002'.repeat(400)]),
    );
    expect(bodyOf(metadata)).toBe(bodyOf(metadata));
  });
});
