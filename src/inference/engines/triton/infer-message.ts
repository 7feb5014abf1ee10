import { elementCount, type NamedTensors, type Tensor } from '../../tensor.js';

/** The header with the number of JSON bytes in a body. The tensors follow the JSON. */
export const JSON_LENGTH_HEADER = 'inference-header-content-length';

const DATATYPES = { uint8: 'UINT8', float32: 'FP32' } as const;
const ELEMENT_BYTES = { UINT8: 1, FP32: 4 } as const;
type Datatype = keyof typeof ELEMENT_BYTES;

/** A body of the Open Inference Protocol v2 with the binary tensor extension. */
export interface InferBody {
  readonly body: Buffer;
  /** Number of JSON bytes at the start. */
  readonly jsonLength: number;
}

interface OutputHead {
  readonly name: string;
  readonly datatype: string;
  readonly shape: readonly number[];
  readonly parameters?: { readonly binary_data_size?: number };
  /** Used instead of binary data by servers without the extension. */
  readonly data?: readonly number[];
}

/**
 * Writes an inference request.
 * @param timeoutMs how long the request may wait in the server's queue, if its queue policy allows that
 */
export function encodeInfer(
  inputs: NamedTensors,
  outputNames: readonly string[],
  timeoutMs: number,
): InferBody {
  const tensors = Object.entries(inputs);
  const head = {
    inputs: tensors.map(([name, { type, dims, data }]) => ({
      name,
      datatype: DATATYPES[type],
      shape: dims,
      parameters: { binary_data_size: data.byteLength },
    })),
    outputs: outputNames.map((name) => ({ name, parameters: { binary_data: true } })),
    parameters: { timeout: timeoutMs * 1_000 },
  };
  const json = Buffer.from(JSON.stringify(head));
  const parts = tensors.map(([, { data }]) => Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  return { body: Buffer.concat([json, ...parts]), jsonLength: json.length };
}

/**
 * Reads the response to an inference request.
 * @param jsonLength value of the header; undefined when the whole body is JSON
 * @throws Error with what is wrong with the response
 */
export function decodeInfer(body: Buffer, jsonLength: string | undefined): NamedTensors {
  const length = jsonLength === undefined ? body.length : Number(jsonLength);
  if (!Number.isInteger(length) || length < 0 || length > body.length)
    throw new Error(`the server's answer has ${body.length} bytes, its header says ${jsonLength} of JSON`);
  const { outputs } = JSON.parse(body.toString('utf8', 0, length)) as { outputs?: readonly OutputHead[] };
  if (!Array.isArray(outputs)) throw new Error("the server's answer has no outputs");
  let at = length;
  return Object.fromEntries(
    (outputs as readonly OutputHead[]).map((output) => {
      const bytes = output.parameters?.binary_data_size;
      if (bytes === undefined) return [output.name, fromNumbers(output)];
      at += bytes;
      return [output.name, fromBytes(output, body.subarray(at - bytes, at))];
    }),
  );
}

function fromBytes(output: OutputHead, bytes: Buffer): Tensor {
  const datatype = datatypeOf(output);
  const wanted = elementCount(output.shape) * ELEMENT_BYTES[datatype];
  if (bytes.length !== wanted)
    throw new Error(`the output ${output.name} has ${bytes.length} bytes, its shape says ${wanted}`);
  // A copy: the tensor owns its buffer, and floats must be aligned.
  const copy = new Uint8Array(bytes);
  const dims = output.shape;
  return datatype === 'UINT8'
    ? { type: 'uint8', dims, data: copy }
    : { type: 'float32', dims, data: new Float32Array(copy.buffer) };
}

function fromNumbers({ shape, data = [], ...output }: OutputHead): Tensor {
  const numbers = data.flat(Infinity) as readonly number[];
  if (numbers.length !== elementCount(shape))
    throw new Error(`the output ${output.name} has ${numbers.length} numbers, not as many as its shape says`);
  return datatypeOf(output) === 'UINT8'
    ? { type: 'uint8', dims: shape, data: Uint8Array.from(numbers) }
    : { type: 'float32', dims: shape, data: Float32Array.from(numbers) };
}

function datatypeOf({ name, datatype }: Pick<OutputHead, 'name' | 'datatype'>): Datatype {
  if (datatype === 'UINT8' || datatype === 'FP32') return datatype;
  throw new TypeError(`the output ${name} is ${datatype}; outputs are UINT8 or FP32`);
}
