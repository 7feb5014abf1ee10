import { type ProbedDevice, probeDevice } from './probe-device.js';
import { isOutOfMemory } from './stages/out-of-memory.js';

export type IsUsable = (device: ProbedDevice) => Promise<boolean>;

/** Whether a device computes a small graph in a process of its own. A device whose memory is full is usable, too. */
export const isDeviceUsable: IsUsable = async (device) => {
  const fault = await probeDevice(device);
  return fault === null || isOutOfMemory(fault);
};
