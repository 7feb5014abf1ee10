/**
 * Field numbers of onnx.proto (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto) that contain names of values or
 * are needed to write a graph.
 */
export const MODEL = { irVersion: 1, producerName: 2, graph: 7, opsetImport: 8, functions: 25 } as const;
export const GRAPH = {
  node: 1,
  name: 2,
  initializer: 5,
  input: 11,
  output: 12,
  valueInfo: 13,
  quantization: 14,
  sparseInitializer: 15,
} as const;
export const NODE = { input: 1, output: 2, name: 3, opType: 4, attribute: 5, domain: 7 } as const;
export const ATTRIBUTE = { graph: 6, graphs: 11 } as const;
export const TENSOR = { name: 8 } as const;
export const SPARSE_TENSOR = { values: 1, indices: 2 } as const;
export const VALUE_INFO = { name: 1 } as const;
export const QUANTIZATION = { tensorName: 1, parameters: 2 } as const;
export const STRING_ENTRY = { value: 2 } as const;

/** Element types of tensors (TensorProto.DataType). */
export const ELEMENT = { float32: 1, uint8: 2, int8: 3, int64: 7, float16: 10 } as const;
/** Element type of biases. Written graphs use it for nothing else. */
export const INT32 = 6;
export type ElementName = keyof typeof ELEMENT;

const ELEMENT_NAMES: Readonly<Record<number, string>> = {
  1: 'float32',
  2: 'uint8',
  3: 'int8',
  4: 'uint16',
  5: 'int16',
  6: 'int32',
  7: 'int64',
  8: 'string',
  9: 'bool',
  10: 'float16',
  11: 'float64',
  16: 'bfloat16',
};

/** An element type for error messages. */
export function elementName(type: number): string {
  return ELEMENT_NAMES[type] ?? `element type ${type}`;
}
