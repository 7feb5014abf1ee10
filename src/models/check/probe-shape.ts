import { basename } from 'node:path';
import type { SizeRule } from '../manifest/adapter.js';
import type { StageRef } from '../manifest/model-route.js';
import { InvalidVersion } from '../repository/read-version.js';

/**
 * Compares a foreign graph's output for one prepared item with its adapter.
 * @param dims of the raw output @throws InvalidVersion
 */
export function checkProbe(stage: StageRef, dims: readonly number[]): void {
  const { input, output } = stage.adapter!;
  const file = basename(stage.path);
  const gave = `the graph ${file} gives ${output.name} [${dims.join(',')}]`;
  const rank = output.layout === 'NHW' ? 3 : 4;
  if (dims.length !== rank) {
    throw new InvalidVersion(
      `${gave}, which is not an image: ${output.layout} has ${rank} axes; correct output.layout or choose a model that takes and gives pixels`,
    );
  }
  const [rows, columns] = output.layout === 'NCHW' ? [dims[2]!, dims[3]!] : [dims[1]!, dims[2]!];
  checkChannels(gave, output.layout === 'NHWC' ? dims[3]! : output.layout === 'NCHW' ? dims[1]! : 1, stage);
  // A map of any size is resized to the stage's.
  if (stage.kind === 'analyse') return;
  const edge = stage.tile + 2 * stage.halo;
  const [height, width] = fittedSize(edge, input.size);
  if (rows === height * stage.scale && columns === width * stage.scale) return;
  throw new InvalidVersion(
    `${gave} for ${height} × ${width}, with scale ${stage.scale} it must be ${height * stage.scale} × ${width * stage.scale}; correct scale or output.layout`,
  );
}

function checkChannels(gave: string, found: number, { adapter }: StageRef): void {
  const { channels, channel } = adapter!.output;
  if (channels === undefined) {
    if ((channel ?? 0) < found) return;
    throw new InvalidVersion(
      `${gave}, whose ${found} channels do not reach output.channel ${channel}; correct it`,
    );
  }
  const wanted = channels === 'Y' ? 1 : 3;
  if (found === wanted) return;
  throw new InvalidVersion(
    `${gave} with ${found} channels, ${channels} has ${wanted}; correct output.channels or output.layout`,
  );
}

function fittedSize(edge: number, size: SizeRule): readonly [number, number] {
  if (size.mode === 'fixed') return [size.height, size.width];
  if (size.mode === 'any') return [edge, edge];
  const raised = Math.ceil(edge / size.of) * size.of;
  return [raised, raised];
}
