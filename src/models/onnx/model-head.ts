import { readModelFile } from '../files/model-file.js';
import { elementName } from './fields.js';
import { decodedHead } from './onnx-proto.js';
import { MalformedModel } from './wire.js';

/** One input or output of a graph as declared by the file. */
export interface ModelValue {
  readonly name: string;
  /** Element type, for example `float32`. */
  readonly type: string;
  /** Null when the rank is not declared. A string is a dynamic axis. */
  readonly dims: readonly (number | string)[] | null;
}

/** The metadata of an ONNX file, without its weights. */
export interface ModelHead {
  readonly irVersion: number;
  /** Version of ONNX's own operators. */
  readonly opset: number;
  /** Required inputs: those without an initializer. */
  readonly inputs: readonly ModelValue[];
  readonly outputs: readonly ModelValue[];
  /** `domain.Operator` or `Operator`, each once, sorted. */
  readonly operators: readonly string[];
  readonly nodes: number;
  /** Metadata that the exporter wrote. */
  readonly metadata: Readonly<Record<string, string>>;
}

interface RawValue {
  readonly name: string;
  readonly type?: {
    readonly tensorType?: {
      readonly elemType: number;
      readonly shape?: {
        readonly dim: readonly { readonly dimValue?: number; readonly dimParam?: string }[];
      };
    };
  };
}

interface RawHead {
  readonly irVersion: number;
  readonly opsetImport: readonly { readonly domain: string; readonly version: number }[];
  readonly metadataProps: readonly { readonly key: string; readonly value: string }[];
  /** Null in an empty file. */
  readonly graph?: null | {
    readonly node: readonly { readonly opType: string; readonly domain: string }[];
    readonly initializer: readonly { readonly name: string }[];
    readonly input: readonly RawValue[];
    readonly output: readonly RawValue[];
  };
}

/** @throws MalformedModel; UnreadableModelFile */
export async function readModelHead(path: string): Promise<ModelHead> {
  return modelHead(await readModelFile(path));
}

/** @throws MalformedModel when the bytes are not an ONNX model */
export function modelHead(bytes: Uint8Array): ModelHead {
  const raw = decoded(bytes);
  const { graph } = raw;
  if (graph === undefined || graph === null || graph.node.length + graph.output.length === 0)
    throw new MalformedModel('the file holds no ONNX graph');
  const given = new Set(graph.initializer.map(({ name }) => name));
  return {
    irVersion: raw.irVersion,
    opset: raw.opsetImport.find(({ domain }) => domain === '' || domain === 'ai.onnx')?.version ?? 1,
    inputs: graph.input.filter(({ name }) => !given.has(name)).map(modelValue),
    outputs: graph.output.map(modelValue),
    operators: [
      ...new Set(graph.node.map(({ domain, opType }) => (domain === '' ? opType : `${domain}.${opType}`))),
    ].toSorted(),
    nodes: graph.node.length,
    metadata: Object.fromEntries(raw.metadataProps.map(({ key, value }) => [key, value])),
  };
}

function decoded(bytes: Uint8Array): RawHead {
  try {
    return decodedHead(bytes) as unknown as RawHead;
  } catch (error) {
    throw new MalformedModel('the file is not an ONNX model, or it is cut off', { cause: error });
  }
}

function modelValue({ name, type }: RawValue): ModelValue {
  const tensor = type?.tensorType;
  const dims = tensor?.shape?.dim.map(({ dimValue, dimParam }) =>
    dimParam ? dimParam : dimValue !== undefined && dimValue > 0 ? dimValue : '?',
  );
  return { name, type: elementName(tensor?.elemType ?? 0), dims: dims ?? null };
}

/** A declared value for error messages: `input float32[1,3,240,320]`. */
export function valueText({ name, type, dims }: ModelValue): string {
  return `${name} ${type}[${dims === null ? '…' : dims.join(',')}]`;
}
