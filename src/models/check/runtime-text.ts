import { basename } from 'node:path';
import type { StageRef } from '../manifest/model-route.js';
import type { RemoteFault } from './verdict.js';
import { FOREIGN } from '../onnx/prefix-names.js';
import { MalformedModel } from '../onnx/wire.js';
import { InvalidVersion } from '../repository/read-version.js';
import {
  isUnanswered,
  ModelAbsent,
  ServerUnavailable,
} from '../../inference/engines/triton/server-errors.js';
import { unknownOperator } from './unknown-operator.js';
import { errorLine, errorText } from '../../kernel/errors/error-text.js';

/** A convolution got other channels than its weights have. */
const OTHER_CHANNELS = /Input channels C is not equal to kernel channels/i;
const OUT_OF_MEMORY = /bad.?alloc|failed to allocate|out of memory|Array buffer allocation failed/i;

/** The runtime's text when a file of weights ends before a tensor does. */
const CUT_OFF_WEIGHTS =
  /External initializer: (\S+) offset: (\d+) size to read: (\d+) given file_length: (\d+)/;

/**
 * Explains that a weight file is cut off, without a period. Undefined when the runtime's text is about something else.
 */
export function cutOffWeights(text: string): string | undefined {
  const [, tensor, offset, bytes, length] = CUT_OFF_WEIGHTS.exec(text) ?? [];
  if (tensor === undefined) return undefined;
  const weights = tensor.startsWith(FOREIGN) ? tensor.slice(FOREIGN.length) : tensor;
  return `the file with the weights ${weights} has ${length} bytes, but they end at byte ${Number(offset) + Number(bytes)}; it is cut off or belongs to another model, so copy it again`;
}

/** The step in which the runtime only reads and optimizes a graph. */
export const LOADING = 'when it is loaded';

/** Explains why a stage could not be loaded or run, and what to do. */
export function reasonOf(error: unknown, stage: StageRef, doing: string): InvalidVersion {
  if (stage.remote !== undefined) return remoteReason(error, stage, doing);
  if (error instanceof InvalidVersion) return error;
  const text = errorText(error).trim();
  const name = stage.id.split('/').at(-1)!;
  const file = basename(stage.path);
  if (error instanceof MalformedModel || /Protobuf parsing failed|INVALID_PROTOBUF/i.test(text)) {
    return new InvalidVersion(
      `the file ${file} of stage ${name} is not an ONNX model or is cut off; copy it again`,
    );
  }
  const operator = unknownOperator(text);
  if (operator !== undefined) {
    return new InvalidVersion(
      `the file ${file} of stage ${name} needs the operator ${operator}, which the runtime does not have; export the model without it`,
    );
  }
  const cutOff = cutOffWeights(text);
  if (cutOff !== undefined) return new InvalidVersion(`${cutOff} (stage ${name}, ${file})`);
  if (OUT_OF_MEMORY.test(text))
    return tooLarge(`the stage ${name} needs more memory than the check allows ${doing}`);
  const remedy =
    stage.adapter !== undefined && OTHER_CHANNELS.test(text)
      ? 'correct input.layout or input.channels'
      : 'correct the model or its manifest';
  return new InvalidVersion(`the stage ${name} (${file}) fails ${doing}: ${errorLine(error)}; ${remedy}`);
}

/** An inference server is unavailable or lacks the model, or its model is not the one of the manifest. */
export class RemoteNotReady extends InvalidVersion {
  constructor(
    reason: string,
    readonly fault: RemoteFault,
  ) {
    super(reason);
  }
}

/** Why a version with remote stages failed as a whole. */
export function remoteFailure(error: unknown): RemoteNotReady {
  if (error instanceof RemoteNotReady) return error;
  const text = errorText(error);
  if (error instanceof InvalidVersion) return new RemoteNotReady(text, 'unfit');
  if (isUnanswered(error)) return noResponse(error, 'its inference server', 'when it runs a golden image');
  if (error instanceof ServerUnavailable)
    return new RemoteNotReady(`its inference server is unavailable: ${errorLine(error)}`, 'away');
  return new RemoteNotReady(`it fails on its inference server: ${errorLine(error)}`, 'unfit');
}

/** There was not enough memory or time. The same version may pass later or on another machine. */
export class InsufficientResources extends InvalidVersion {}

/** A stage that loads only without the nodes that check for finite numbers must not serve unchecked. */
export function unwatched(error: unknown, { id }: StageRef): InsufficientResources {
  const text = errorLine(error);
  return new InsufficientResources(
    `whether the numbers of the stage ${id.split('/').at(-1)!} are finite cannot be checked (${text}); raise MODEL_CHECK_MEMORY_BYTES, or export the model with opset 11 or newer`,
  );
}

/** @param what without a period */
export function tooLarge(what: string): InsufficientResources {
  return new InsufficientResources(
    `${what}; choose a smaller tile, size or maxBatch, or raise MODEL_CHECK_MEMORY_BYTES on a machine that has it`,
  );
}

/**
 * The time to load a graph grows with the square of its nodes, and does not depend on the size of its input.
 * @param doing the step, without a period
 */
export function tooSlow(doing: string, limitMs: number): string {
  const remedy = doing.endsWith(LOADING)
    ? 'reduce the nodes of its graph, for example with onnxsim, or try again when the machine is less busy'
    : 'simplify its graph, or choose a smaller model, tile or maxBatch';
  return `${doing}: it takes longer than ${limitMs / 1000} seconds; ${remedy}`;
}

function remoteReason(error: unknown, { id, remote }: StageRef, doing: string): InvalidVersion {
  if (error instanceof InvalidVersion) return remoteFailure(error);
  const name = id.split('/').at(-1)!;
  const text = errorLine(error);
  if (isUnanswered(error)) return noResponse(error, `the server of the stage ${name}`, doing);
  if (error instanceof ServerUnavailable)
    return new RemoteNotReady(`the server of the stage ${name} is unavailable: ${text}`, 'away');
  const model = `version ${remote!.version} of ${remote!.model}`;
  if (error instanceof ModelAbsent)
    return new RemoteNotReady(`the server of the stage ${name} does not have ${model}: ${text}`, 'absent');
  return new RemoteNotReady(
    `the stage ${name} (${model} on a server) fails ${doing}: ${text}; correct the model or the manifest`,
    'unfit',
  );
}

/** The server was ready until it got the items, so the model may be the cause. */
function noResponse({ message, how }: ServerUnavailable, server: string, doing: string): RemoteNotReady {
  const remedy = 'look at its log, and correct the model or raise TRITON_TIMEOUT_MS';
  const reason = `${server} gives no response ${doing} (${errorLine(message)}); ${remedy}`;
  return new RemoteNotReady(reason, how.isLate === true ? 'late' : 'unfit');
}
