/**
 * Numbers with a shape, as sent between threads: plain data. `data` owns its whole ArrayBuffer, except that the results
 * of a batch may share one (`lendBuffer`).
 */
export type Tensor =
  | { readonly type: 'uint8'; readonly dims: readonly number[]; readonly data: Uint8Array<ArrayBuffer> }
  | { readonly type: 'float32'; readonly dims: readonly number[]; readonly data: Float32Array<ArrayBuffer> };

/** Tensors by the names of a graph's inputs or outputs. */
export type NamedTensors = Readonly<Record<string, Tensor>>;

/** A uint8 tensor over the given bytes, without a copy. */
export function uint8Tensor(dims: readonly number[], data: Uint8Array<ArrayBuffer>): Tensor {
  return { type: 'uint8', dims, data };
}

/** A float32 tensor of the given numbers. */
export function float32Tensor(dims: readonly number[], values: readonly number[]): Tensor {
  return { type: 'float32', dims, data: Float32Array.from(values) };
}

/** A tensor of zeros. */
export function zeros(type: Tensor['type'], dims: readonly number[]): Tensor {
  const size = elementCount(dims);
  return type === 'uint8'
    ? { type, dims, data: new Uint8Array(size) }
    : { type, dims, data: new Float32Array(size) };
}

export function elementCount(dims: readonly number[]): number {
  return dims.reduce((product, dim) => product * dim, 1);
}

/** A type and shape for error messages: `uint8[1,64,64,3]`. */
export function shapeText(type: string, dims: readonly (number | string)[]): string {
  return `${type}[${dims.join(',')}]`;
}

/** The buffers to transfer with a message, so that nothing is copied. */
export function transferList(tensors: Iterable<NamedTensors>): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  for (const named of tensors) for (const { data } of Object.values(named)) buffers.add(data.buffer);
  return [...buffers];
}
