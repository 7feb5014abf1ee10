import protobuf from 'protobufjs';

/** The part of onnx.proto that this program writes and reads. */
const SOURCE = `
syntax = "proto2";
message Dimension { optional int64 dim_value = 1; optional string dim_param = 2; }
message Shape { repeated Dimension dim = 1; }
message TensorType { optional int32 elem_type = 1; optional Shape shape = 2; }
message Type { optional TensorType tensor_type = 1; }
message ValueInfo { optional string name = 1; optional Type type = 2; }
message Tensor { repeated int64 dims = 1; optional int32 data_type = 2; optional string name = 8; optional bytes raw_data = 9; }
message TensorData { repeated int64 dims = 1; optional int32 data_type = 2; repeated float float_data = 4 [packed = true]; optional string name = 8; optional bytes raw_data = 9; }
message TensorHead { repeated int64 dims = 1; optional int32 data_type = 2; optional string name = 8; }
message Attribute {
  optional string name = 1; optional float f = 2; optional int64 i = 3; optional bytes s = 4;
  repeated float floats = 7; repeated int64 ints = 8; optional int32 type = 20;
}
message Node {
  repeated string input = 1; repeated string output = 2; optional string name = 3; optional string op_type = 4;
  repeated Attribute attribute = 5; optional string domain = 7;
}
message AttributeHead { optional string name = 1; optional int64 i = 3; }
message NodeHead { repeated string input = 1; repeated string output = 2; optional string op_type = 4; repeated AttributeHead attribute = 5; optional string domain = 7; }
message GraphHead {
  repeated NodeHead node = 1; repeated TensorHead initializer = 5;
  repeated ValueInfo input = 11; repeated ValueInfo output = 12;
}
message Entry { optional string key = 1; optional string value = 2; }
message Opset { optional string domain = 1; optional int64 version = 2; }
message ModelHead { optional int64 ir_version = 1; optional GraphHead graph = 7; repeated Opset opset_import = 8; repeated Entry metadata_props = 14; }
`;

const root = protobuf.parse(SOURCE, { keepCase: false }).root;

/** Encodes one message from a plain object with camelCase fields. */
export function encoded(
  message: 'Node' | 'Tensor' | 'ValueInfo' | 'Opset',
  value: Record<string, unknown>,
): Uint8Array {
  const type = root.lookupType(message);
  return type.encode(type.fromObject(value)).finish();
}

/** An initializer with its values. */
export interface DecodedTensor {
  readonly dims: readonly number[];
  readonly dataType: number;
  readonly name: string;
  readonly rawData: Uint8Array;
  readonly floatData: readonly number[];
}

/** Decodes one initializer. Values that are stored outside the file are missing. */
export function decodedTensor(bytes: Uint8Array): DecodedTensor {
  const type = root.lookupType('TensorData');
  const options = { longs: Number, defaults: true, arrays: true };
  return type.toObject(type.decode(bytes), options) as unknown as DecodedTensor;
}

/** The nodes of a graph, reduced to where their values come from. */
export interface NodeHead {
  readonly opType: string;
  readonly input: readonly string[];
  readonly output: readonly string[];
  readonly attribute: readonly { readonly name: string; readonly i: number }[];
}

/** Decodes the descriptive part of a model into plain objects; integers become numbers. */
export function decodedHead(bytes: Uint8Array): Record<string, unknown> {
  const type = root.lookupType('ModelHead');
  return type.toObject(type.decode(bytes), { longs: Number, defaults: true, arrays: true });
}
