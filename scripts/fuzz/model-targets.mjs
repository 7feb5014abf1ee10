import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { built } from '../lib/built.mjs';
import { cleanupOnce } from '../lib/cleanup.mjs';
import { ROOT } from '../lib/paths.mjs';
import { Finding, within } from './finding.mjs';

const MODELS = join(ROOT, 'models');
const CASE_MS = 10_000;
/** Only the head of a weight file is worth mutating. The rest is numbers. */
const HEAD_BYTES = 20_000;

const filesOf = (pattern) =>
  readdirSync(MODELS, { recursive: true })
    .filter((name) => pattern.test(name))
    .map((name) => join(MODELS, name));

/** `manifest.json` of a model version. */
export const manifest = {
  name: 'manifest',
  seeds: async () => filesOf(/manifest\.json$/).map((path) => readFileSync(path)),
  open: async () => {
    const { checkManifest } = await built('models/manifest/manifest-check.js');
    return {
      run: async (bytes) => {
        let value;
        try {
          value = JSON.parse(bytes.toString('utf8'));
        } catch {
          return 'refused';
        }
        return checkManifest(value, 'upscale').ok ? 'accepted' : 'refused';
      },
      close: async () => undefined,
    };
  },
};

/** The head of an ONNX file, and the external files that it refers to. */
export const onnx = {
  name: 'onnx',
  seeds: async () =>
    filesOf(/\.onnx$/)
      .filter((path) => statSync(path).size < 2_000_000)
      .map((path) => readFileSync(path).subarray(0, HEAD_BYTES)),
  open: async () => {
    const { modelHead } = await built('models/onnx/model-head.js');
    const { MalformedModel } = await built('models/onnx/wire.js');
    const { externalLocations } = await built('models/onnx/external-locations.js');
    const { ModelFile } = await built('models/files/model-file.js');
    const { UnreadableModelFile } = await built('models/files/unreadable-model-file.js');
    const dir = await mkdtemp(join(tmpdir(), 'ies-fuzz-'));
    await writeFile(join(dir, 'model.onnx'), '');
    const isRefusal = (error) =>
      error instanceof MalformedModel || error instanceof UnreadableModelFile || isProtobufError(error);
    return {
      run: async (bytes) => {
        await writeFile(join(dir, 'model.onnx'), bytes);
        const options = { maxBytes: 2 ** 31 - 1 };
        const locations = ModelFile.with(dir, 'model.onnx', options, externalLocations);
        await within(CASE_MS, locations).catch((error) => {
          if (!isRefusal(error)) throw asFinding(error);
        });
        try {
          modelHead(bytes);
          return 'accepted';
        } catch (error) {
          if (!isRefusal(error)) throw asFinding(error);
          return 'refused';
        }
      },
      close: cleanupOnce(() => rm(dir, { recursive: true, force: true })),
    };
  },
};

/**
 * protobufjs throws plain errors with its own messages. The caller that reads a head converts them to readable
 * sentences.
 */
function isProtobufError(error) {
  return /index out of range|invalid wire type|invalid varint|illegal|no such|missing required|max depth/i.test(
    error.message,
  );
}

function asFinding(error) {
  return error instanceof Finding ? error : new Finding(error.stack ?? String(error));
}
