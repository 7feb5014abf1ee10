import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

const NVIDIA = '/proc/driver/nvidia/gpus';

/** The names of this machine's processor and GPUs, because workers of an installation may run on different hardware. */
export function hardwareName(): string {
  const gpus = entries(NVIDIA).map((name) => modelOf(join(NVIDIA, name, 'information')));
  return [process.arch, cpus()[0]?.model, ...gpus.toSorted()].join(' | ');
}

function entries(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // There is no driver.
    return [];
  }
}

function modelOf(path: string): string {
  try {
    return /^Model:\s*(.+)$/m.exec(readFileSync(path, 'utf8'))?.[1] ?? '';
  } catch {
    return '';
  }
}
