import type { Adapter, InputAdapter, OutputAdapter } from './adapter.js';

/** The properties of a stage that its adapter must match. */
export interface AdaptedStage {
  readonly kind: 'analyse' | 'render';
  /** Width and height of the stage's input, pixels. */
  readonly edge: number;
  /** Output pixels per input pixel; 1 for an analyse stage. */
  readonly scale: number;
  readonly producesAlpha: boolean;
}

/** Rules between the fields of an adapter and its stage; each error is "path must …". */
export function adapterFaults(path: string, adapter: Adapter, stage: AdaptedStage): readonly string[] {
  return [
    ...inputFaults(`${path}.input`, adapter.input, stage.edge),
    ...outputFaults(`${path}.output`, adapter.output, stage),
    ...channelFaults(path, adapter),
  ];
}

function inputFaults(path: string, input: InputAdapter, edge: number): string[] {
  const faults = rangeFaults(path, input.range);
  const channels = input.channels === 'Y' ? 1 : 3;
  for (const field of ['mean', 'std'] as const) {
    const length = input[field]?.length ?? 1;
    if (length !== 1 && length !== channels)
      faults.push(`${path}.${field} must have 1 or ${channels} numbers, not ${length}`);
  }
  if (input.std?.includes(0)) faults.push(`${path}.std must not hold 0, which nothing can be divided by`);
  return [...faults, ...sizeFaults(path, input, edge)];
}

function sizeFaults(path: string, { size, resize }: InputAdapter, edge: number): string[] {
  if (size.mode !== 'fixed' || resize === 'stretch') return [];
  const { height, width } = size;
  if (resize === undefined && (height !== edge || width !== edge)) {
    return [
      `${path}.size must be ${edge} × ${edge}, the edge of this stage, not ${height} × ${width}; change tile, halo or size, or give resize`,
    ];
  }
  if (height < edge || width < edge)
    return [`${path}.size must be at least ${edge} × ${edge} with resize pad, not ${height} × ${width}`];
  return [];
}

function outputFaults(path: string, output: OutputAdapter, stage: AdaptedStage): string[] {
  const faults = rangeFaults(path, output.range);
  const isMap = output.meaning === 'alpha' || output.meaning === 'logits';
  if (stage.kind === 'analyse' && !isMap)
    faults.push(`${path}.meaning must be alpha or logits in an analyse stage, not ${output.meaning}`);
  if (isMap && output.channels !== undefined)
    faults.push(`${path}.channels must be removed: ${output.meaning} is one plane`);
  if (!isMap && output.channels === undefined)
    faults.push(`${path}.channels must be given: ${output.meaning} has colors`);
  if (!isMap && output.layout === 'NHW')
    faults.push(`${path}.layout must be NCHW or NHWC for ${output.meaning}`);
  if (!isMap && output.channel !== undefined)
    faults.push(`${path}.channel must be removed: only alpha and logits choose one`);
  if (stage.kind === 'render' && isMap !== stage.producesAlpha)
    faults.push(
      isMap
        ? `${path}.meaning ${output.meaning} must come with the stage's alpha "produce"`
        : `${path}.meaning must be alpha or logits where the stage's alpha is "produce", not ${output.meaning}`,
    );
  if (isMap && stage.scale !== 1) faults.push(`${path}.meaning ${output.meaning} must come with scale 1`);
  if (isMap && output.strength === 'blend')
    faults.push(`${path}.strength must be ignore for ${output.meaning}`);
  return faults;
}

function rangeFaults(path: string, [low, high]: readonly [number, number]): string[] {
  return low < high ? [] : [`${path}.range must be two numbers, the smaller first, not [${low}, ${high}]`];
}

function channelFaults(path: string, { input, output, luma }: Adapter): string[] {
  if (luma === undefined || input.channels === 'Y' || output.channels === 'Y') return [];
  return [`${path}.luma must be removed: neither input nor output is Y`];
}
