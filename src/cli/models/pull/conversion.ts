import { join } from 'node:path';
import { hashModelFile } from '../../../models/files/model-file.js';
import type { UpstreamModel } from './upstream-catalog.js';

/** Where weights are kept that only their own framework can read, so that a separate program must convert them. */
export function keptPath(modelsDir: string, { file }: UpstreamModel): string {
  return join(modelsDir, '.pulling', file.name);
}

/** The hash of weights that were downloaded to be converted; null if they are not there or not the expected ones. */
export async function keptHash(
  modelsDir: string,
  model: UpstreamModel,
  expected = model.file.sha256,
): Promise<string | null> {
  if (model.manifest !== undefined || expected === null) return null;
  const actual = await hashModelFile(keptPath(modelsDir, model)).catch(() => null);
  return actual === expected ? actual : null;
}

/** The commands that convert the weights and add the result. */
export function conversionSteps(modelsDir: string, model: UpstreamModel): readonly string[] {
  const { name, operation, license, convert } = model;
  const path = keptPath(modelsDir, model);
  const graph = path.replace(/\.[^.]+$/, '.onnx');
  return [
    `python scripts/convert/to_onnx.py ${path} ${graph}`,
    `npm run models -- add ${graph} --operation ${operation} --name ${name} --license ${license.id} --source ${convert!.source} --trained-on "${convert!.trainedOn}" --range ${convert!.range.join(',')} --channels RGB --meaning image`,
  ];
}
