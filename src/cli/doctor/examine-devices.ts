import { existsSync } from 'node:fs';
import type { Config } from '../../config/env.js';
import { type ProbedDevice, probeDevice } from '../../inference/device/probe-device.js';
import { type Finding, missing, note, ok } from './finding.js';

const PROVIDERS = ['cpu', 'cuda', 'tensorrt', 'webgpu'] as const;

const ADVICE: Readonly<Record<(typeof PROVIDERS)[number], string>> = {
  cpu: 'onnxruntime-node does not run here: install the packages again (npm run setup) on a supported platform.',
  cuda: 'For an NVIDIA GPU install its driver, CUDA 12 and cuDNN 9, and onnxruntime with CUDA: ONNXRUNTIME_NODE_INSTALL=cuda12 npm rebuild onnxruntime-node --ignore-scripts=false.',
  tensorrt: 'As for cuda, and TensorRT 10; it compiles every model for minutes at each start.',
  webgpu:
    'It needs a Vulkan driver and its loader (Debian: libvulkan1 and the driver of your GPU); vulkaninfo must list the GPU.',
};

/** Checks which execution providers work. Each is tried in its own process. */
export async function examineDevices(config: Config): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const chosen = chosenDevices(config);
  // One at a time: two processes on one GPU could crash each other.
  for (const provider of PROVIDERS) {
    const fault = await probeDevice({ provider });
    const isChosen = chosen.some((device) => device.provider === provider && device.index === undefined);
    findings.push(finding(provider, fault, isChosen || provider === 'cpu'));
  }
  for (const device of chosen.filter(({ index }) => index !== undefined)) {
    findings.push(finding(device.provider, await probeDevice(device), true, device.index));
  }
  return [...findings, ...gpuFiles()];
}

function chosenDevices({ inferenceDevice, inferenceDevices }: Config): readonly ProbedDevice[] {
  if (inferenceDevices !== undefined) return inferenceDevices;
  return inferenceDevice === 'auto' ? [] : [{ provider: inferenceDevice }];
}

function finding(
  provider: (typeof PROVIDERS)[number],
  fault: string | null,
  isNeeded: boolean,
  index?: number,
): Finding {
  const name = index === undefined ? provider : `${provider}:${index}`;
  if (fault === null) return ok('devices', `${name} computes`);
  const text = `${name} does not work: ${fault}`;
  return isNeeded ? missing('devices', text, ADVICE[provider]) : note('devices', text, ADVICE[provider]);
}

/** GPUs that the system lists. A container may list none although its host has one. */
function gpuFiles(): readonly Finding[] {
  if (process.platform !== 'linux') return [];
  const found = ['/dev/nvidiactl', '/dev/dri/renderD128', '/dev/dxg', '/dev/kfd'].filter((path) =>
    existsSync(path),
  );
  if (found.length > 0) return [ok('devices', `the system shows a GPU: ${found.join(', ')}`)];
  return [
    note(
      'devices',
      'the system shows no GPU',
      'The CPU serves. In a container, pass the GPU on: docker run --gpus all, or --device /dev/dri.',
    ),
  ];
}
