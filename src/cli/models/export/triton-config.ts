import type { ModelHead, ModelValue } from '../../../models/onnx/model-head.js';
import type { StageRef } from '../../../models/manifest/model-route.js';

/** Maximum queued requests for one model. The server responds with 503 to further ones, and workers wait. */
const MAX_QUEUE = 256;

const TYPES: Readonly<Record<string, string>> = { uint8: 'TYPE_UINT8', float32: 'TYPE_FP32' };

export interface TritonConfigOptions {
  readonly name: string;
  readonly stage: Pick<StageRef, 'maxBatch' | 'maxDelayMs'>;
  /** Head of the exported graph. Its first axis is the batch. */
  readonly head: Pick<ModelHead, 'inputs' | 'outputs'>;
  /** Instances of the model on each device. */
  readonly instances: number;
}

/**
 * The `config.pbtxt` of one model, with the manifest's batching.
 * @throws Error for a tensor that Triton does not support
 */
export function tritonConfig({ name, stage, head, instances }: TritonConfigOptions): string {
  return `name: "${name}"
backend: "onnxruntime"
max_batch_size: ${stage.maxBatch}
input [
${head.inputs.map((input) => tensorText(input)).join(',\n')}
]
output [
${head.outputs.map((output) => tensorText(output)).join(',\n')}
]
dynamic_batching {
  max_queue_delay_microseconds: ${stage.maxDelayMs * 1_000}
  default_queue_policy {
    timeout_action: REJECT
    allow_timeout_override: true
    max_queue_size: ${MAX_QUEUE}
  }
}
instance_group [ { count: ${instances} kind: KIND_AUTO } ]
version_policy { all { } }
`;
}

function tensorText(value: ModelValue): string {
  const type = TYPES[value.type];
  if (type === undefined || value.dims === null || value.dims.length === 0)
    throw new Error(`${value.name} is ${value.type}, with ${value.dims?.length ?? 'unknown'} axes`);
  // Triton adds the batch axis, and requires at least one more axis.
  const dims = value.dims.slice(1).map((size) => (typeof size === 'number' ? size : -1));
  const shape = dims.length === 0 ? 'dims: [ 1 ] reshape { shape: [ ] }' : `dims: [ ${dims.join(', ')} ]`;
  return `  { name: "${value.name}" data_type: ${type} ${shape} }`;
}
