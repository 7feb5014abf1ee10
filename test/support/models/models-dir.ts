import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pngOf } from '../images/flow-picture.js';

/** A separate models folder for a test. */
export interface ModelsDir {
  readonly path: string;
  /** Writes an opaque gray PNG. */
  png(path: string, width: number, height: number, gray: number): Promise<void>;
  remove(): Promise<void>;
}

export async function temporaryModels(): Promise<ModelsDir> {
  const path = await mkdtemp(join(tmpdir(), 'ies-models-'));
  return {
    path,
    png: async (file, width, height, gray) => {
      const data = Uint8Array.from({ length: width * height * 4 }, (_, at) => ((at & 3) === 3 ? 255 : gray));
      await writeFile(file, await pngOf({ width, height, data }));
    },
    remove: () => rm(path, { recursive: true, force: true }),
  };
}
