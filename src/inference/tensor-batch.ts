import { elementCount, shapeText, type Tensor, zeros } from './tensor.js';

/**
 * Concatenates items [1,…] of one type and shape along the batch axis into [N,…]. A single item is returned unchanged.
 * Runs on the device thread, where a copy blocks no other work.
 */
export function stack(items: readonly Tensor[]): Tensor {
  const [first] = items;
  if (first === undefined) throw new RangeError('a batch needs at least one item');
  if (items.length === 1) return first;
  const shape = shapeText(first.type, first.dims);
  const other = items.find((item) => shapeText(item.type, item.dims) !== shape);
  if (other !== undefined) {
    throw new RangeError(`a batch of ${shape} cannot take ${shapeText(other.type, other.dims)}`);
  }
  const batch = zeros(first.type, [items.length, ...first.dims.slice(1)]);
  const stride = first.data.length;
  items.forEach((item, index) => batch.data.set(item.data, index * stride));
  return batch;
}

/**
 * Splits a batch [N,…] into items [1,…], each with its own buffer.
 * @param count N @param wanted number of leading items to return; the rest was padding
 */
export function unstack(batch: Tensor, count: number, wanted = count): readonly Tensor[] {
  if (batch.dims[0] !== count) {
    throw new RangeError(`a batch of ${count} came back as ${batch.dims[0] ?? 'a scalar'}`);
  }
  const dims = [1, ...batch.dims.slice(1)];
  const stride = elementCount(dims);
  const ownsBuffer = batch.data.byteLength === batch.data.buffer.byteLength;
  if (count === 1 && ownsBuffer) return [batch];
  return Array.from({ length: wanted }, (_, index) => cutOut(batch, dims, index * stride, stride));
}

/**
 * Divides a batch [N,…] into items [1,…] that share its buffer.
 * @param wanted number of items; the rest was padding
 */
export function viewsOf(batch: Tensor, wanted: number): readonly Tensor[] {
  const dims = [1, ...batch.dims.slice(1)];
  const stride = elementCount(dims);
  return Array.from({ length: wanted }, (_, index) => viewOf(batch, dims, index * stride, stride));
}

function viewOf(batch: Tensor, dims: readonly number[], start: number, length: number): Tensor {
  return batch.type === 'uint8'
    ? { type: 'uint8', dims, data: batch.data.subarray(start, start + length) }
    : { type: 'float32', dims, data: batch.data.subarray(start, start + length) };
}

function cutOut(batch: Tensor, dims: readonly number[], start: number, length: number): Tensor {
  return batch.type === 'uint8'
    ? { type: 'uint8', dims, data: batch.data.slice(start, start + length) }
    : { type: 'float32', dims, data: batch.data.slice(start, start + length) };
}
