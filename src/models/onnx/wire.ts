import { Reader, Writer } from 'protobufjs';

/** Protobuf wire types that ONNX uses for nested messages, texts, and bytes. */
const LENGTH_DELIMITED = 2;

/** The file is not protobuf, or is truncated. */
export class MalformedModel extends Error {
  override readonly name = 'MalformedModel';
}

/** One field as stored in the file. */
export interface WireField {
  readonly number: number;
  /** Tag and value, unchanged, for copying. */
  readonly raw: Uint8Array;
  /** The bytes of a nested message, a text, or bytes; null for numbers. */
  readonly payload: Uint8Array | null;
}

/**
 * Walks the fields of one message. Weights are views into `bytes`, never copied, and unknown fields are preserved,
 * which decoding into objects and encoding again would not guarantee.
 * @throws MalformedModel
 */
export function* fieldsOf(bytes: Uint8Array): Generator<WireField, undefined, undefined> {
  const reader = Reader.create(bytes);
  while (reader.pos < reader.len) {
    const start = reader.pos;
    try {
      const tag = reader.uint32();
      const number = tag >>> 3;
      let payload: Uint8Array | null = null;
      if ((tag & 7) === LENGTH_DELIMITED) {
        const length = reader.uint32();
        const from = reader.pos;
        reader.skip(length);
        payload = bytes.subarray(from, from + length);
      } else {
        reader.skipType(tag & 7);
      }
      if (number === 0) throw new RangeError('field number 0');
      yield { number, raw: bytes.subarray(start, reader.pos), payload };
    } catch (error) {
      throw new MalformedModel('the file is not an ONNX model, or it is cut off', { cause: error });
    }
  }
}

/** The new payload of a field, or nothing. */
export type Rewrite = (payload: Uint8Array) => Uint8Array | null;

/** A message with some payloads rewritten and everything else copied, in the same order. */
export function rewritten(bytes: Uint8Array, rules: Readonly<Record<number, Rewrite>>): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const { number, raw, payload } of fieldsOf(bytes)) {
    const rule = rules[number];
    if (rule === undefined || payload === null) {
      parts.push(raw);
      continue;
    }
    const made = rule(payload);
    if (made !== null) parts.push(...delimited(number, made));
  }
  return joined(parts);
}

/** Tag and length, then the payload itself, without a copy. */
export function delimited(number: number, payload: Uint8Array): readonly [Uint8Array, Uint8Array] {
  const head = Writer.create()
    .uint32((number << 3) | LENGTH_DELIMITED)
    .uint32(payload.length)
    .finish();
  return [head, payload];
}

/** Parts one after the other. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A text as UTF-8, and back. */
export const utf8 = (text: string): Uint8Array => Buffer.from(text, 'utf8');
export const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
