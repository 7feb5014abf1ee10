import type { Descriptor } from '../descriptor.js';

const PROVIDERS = ['cpu', 'cuda', 'tensorrt', 'webgpu'] as const;

/** One device of a worker, written as `cuda:1`. */
export interface InferenceDeviceChoice {
  readonly provider: (typeof PROVIDERS)[number];
  /** Index among the accelerators of its kind; undefined: the runtime's default. */
  readonly index?: number | undefined;
}

const FORMAT = `list of ${PROVIDERS.join(', ')}, a GPU with its number: \`cuda:0,cuda:1\``;

/** A list of devices; undefined when not set. */
export function devices(
  name: string,
  options: { readonly text: string },
): Descriptor<readonly InferenceDeviceChoice[] | undefined> {
  return {
    name,
    text: options.text,
    defaultText: '`INFERENCE_DEVICE`',
    format: FORMAT,
    read: (raw) => {
      if (raw === undefined || raw.trim() === '') return undefined;
      const chosen = raw.split(',').map((item) => readDevice(item.trim()));
      refuseTwice(chosen);
      return chosen;
    },
  };
}

function readDevice(item: string): InferenceDeviceChoice {
  const match = /^(\w+)(?::(\d{1,3}))?$/.exec(item);
  const provider = PROVIDERS.find((known) => known === match?.[1]);
  if (provider === undefined) throw new Error(`must be a ${FORMAT}, not "${item}"`);
  const index = match?.[2];
  if (index === undefined) return { provider };
  if (provider === 'cpu' || provider === 'webgpu')
    throw new Error(`cannot choose among devices with ${provider}; write "${provider}", not "${item}"`);
  return { provider, index: Number(index) };
}

/** Two threads with sessions on one GPU may exceed its memory, and two WebGPU sessions in one process crash. */
function refuseTwice(chosen: readonly InferenceDeviceChoice[]): void {
  const gpus = chosen.filter(({ provider }) => provider !== 'cpu');
  const names = gpus.map(({ provider, index = 0 }) => `${provider}:${index}`);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`names ${twice} twice; one device thread serves one GPU`);
}
