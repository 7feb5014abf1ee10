// Enlarges pictures with UpscalerJS and ESRGAN Slim over WebAssembly, a JSON line for each: {"from", "to"}.
// Usage: node upscaler-js.cjs FOLDER, whose node_modules hold UpscalerJS.
const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const { createInterface } = require('node:readline');
const sharp = require('sharp');

const load = createRequire(path.join(process.argv[2], 'package.json'));
const tf = load('@tensorflow/tfjs');
const wasm = load('@tensorflow/tfjs-backend-wasm');
/** Sizes of the tiles and their overlap, pixels of the source: those of this service for the same weights. */
const TILES = { patchSize: 128, padding: 12 };

const say = (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);

async function main() {
  wasm.setWasmPaths(`${path.dirname(load.resolve('@tensorflow/tfjs-backend-wasm'))}/`);
  await tf.setBackend('wasm');
  tf.io.registerLoadRouter((url) => (String(url).startsWith('file://') ? fileHandler(url) : null));
  const { default: Upscaler = load('upscaler/node') } = load('upscaler/node');
  const { default: model = load('@upscalerjs/esrgan-slim/2x') } = load('@upscalerjs/esrgan-slim/2x');
  const upscaler = new Upscaler({ model });
  say({ ready: true });
  for await (const line of createInterface({ input: process.stdin })) {
    const { from, to } = JSON.parse(line);
    await enlarge(upscaler, from, to);
    say({ done: true });
  }
}

async function enlarge(upscaler, from, to) {
  const { data, info } = await sharp(from).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const pixels = tf.tensor3d(new Uint8Array(data), [info.height, info.width, 3], 'int32');
  const result = await upscaler.upscale(pixels, { output: 'tensor', ...TILES });
  const [height, width] = result.shape;
  const clipped = tf.tidy(() => tf.cast(tf.clipByValue(tf.round(result), 0, 255), 'int32'));
  const bytes = Uint8Array.from(await clipped.data());
  tf.dispose([pixels, result, clipped]);
  await sharp(bytes, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 90 })
    .toFile(to);
}

/** What tfjs-node does with `file://`. */
function fileHandler(url) {
  const file = url.slice('file://'.length);
  return {
    load: () =>
      tf.io.getModelArtifactsForJSON(JSON.parse(readFileSync(file, 'utf8')), async (groups) => {
        const files = groups
          .flatMap(({ paths }) => paths)
          .map((name) => readFileSync(path.join(path.dirname(file), name)));
        return [groups.flatMap(({ weights }) => weights), new Uint8Array(Buffer.concat(files)).buffer];
      }),
  };
}

main().catch((error) => say({ error: String(error) }));
