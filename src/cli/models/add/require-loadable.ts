import { basename } from 'node:path';
import { OnnxEngine } from '../../../inference/engines/onnx-engine.js';
import { cutOffWeights } from '../../../models/check/runtime-text.js';
import { unknownOperator } from '../../../models/check/unknown-operator.js';
import { ModelsError } from '../models-command.js';
import { errorLine } from '../../../kernel/errors/error-text.js';

/**
 * Loads an ONNX file unmodified, because the runtime's error for an unsupported feature is clearer than a failed probe.
 * @throws ModelsError that states the cause
 */
export async function requireLoadable(path: string): Promise<void> {
  const engine = new OnnxEngine({ provider: 'cpu', threads: 0, isGuess: false });
  try {
    const graph = await engine.open({ kind: 'file', path });
    await graph.release();
  } catch (error) {
    throw loadFailure(path, error);
  }
}

/** States why the runtime does not load a model. */
export function loadFailure(path: string, error: unknown): ModelsError {
  const cutOff = cutOffWeights(error instanceof Error ? error.message : '');
  if (cutOff !== undefined) return new ModelsError(`${basename(path)}: ${cutOff}.`);
  const text = errorLine(error);
  return missingOperator(text) ?? new ModelsError(`The runtime does not load ${basename(path)}: ${text}.`);
}

/**
 * @param text of the runtime's error
 * @returns undefined when the error is about something else
 */
export function missingOperator(text: string): ModelsError | undefined {
  const operator = unknownOperator(text);
  return operator === undefined
    ? undefined
    : new ModelsError(
        `The model needs the operator ${operator}, which the runtime does not have. Export the model without it.`,
      );
}
