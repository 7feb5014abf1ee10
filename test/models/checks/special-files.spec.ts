import { createHash } from 'node:crypto';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { externalModel } from '../../../src/models/testing/external-model.js';
import { replaceFile, SPECIAL_FILES } from '../../../src/models/testing/special-files.js';
import { tinyModel } from '../../../src/models/testing/tiny-models.js';
import { DenoiseVersions, FREE, refusal, same } from '../../support/models/denoise-versions.js';
import { ensureFlowBuild } from '../../support/roles/flow-build.js';
import { runModelsCommand } from '../../support/models/models-command.js';

const WEIGHT = new Uint8Array(Float32Array.of(0.5).buffer);
const sha256 = createHash('sha256').update(WEIGHT).digest('hex');

let versions: DenoiseVersions;
beforeAll(async () => {
  await ensureFlowBuild();
  versions = await DenoiseVersions.open();
});
afterAll(() => versions.remove());

describe('models check', () => {
  it.each(Object.entries(SPECIAL_FILES))('refuses %s in place of weights', async (_, { put, says }) => {
    const folder = await versions.make({ dims: FREE, body: same });
    await replaceFile(join(folder, 'm.onnx'), put);
    const { code, stdout } = await runModelsCommand(['check', folder], versions.models.path);
    expect(stdout).toContain(`/${versions.version} is not served: the file m.onnx of stage clean ${says}`);
    expect(code).toBe(1);
  });

  it.each(Object.entries(SPECIAL_FILES))('refuses %s in place of external data', async (_, { put, says }) => {
    const files = { 'm.onnx': externalModel('m.data'), 'm.data': WEIGHT };
    const folder = await versions.write(files, { external: { 'm.data': sha256 } });
    await replaceFile(join(folder, 'm.data'), put);
    expect(await refusal(folder)).toContain(`the file m.data of stage clean ${says}`);
  });

  it.each(['/etc/hostname', '../m.data', 'weights/m.data', '*/_ORT_MEM_ADDR_/*'])(
    'refuses external data at %s',
    async (location) => {
      const folder = await versions.write({ 'm.onnx': externalModel(location), 'm.data': WEIGHT }, {});
      await writeFile(join(folder, '../m.data'), WEIGHT);
      expect(await refusal(folder)).toContain(
        `the file m.onnx of stage clean keeps weights in "${location}", which is not a plain file name of letters, digits, dots, dashes and underscores; export it with its weights beside it`,
      );
    },
  );

  it('refuses external data that the manifest does not list or hash', async () => {
    const files = { 'm.onnx': externalModel('m.data'), 'm.data': WEIGHT };
    expect(await refusal(await versions.write(files, {}))).toContain(
      'keeps weights in "m.data", which the manifest does not list; add it to external with its sha256',
    );
  });

  it('says that external data is cut off, although its hash is right', async () => {
    const half = WEIGHT.subarray(0, 2);
    const external = { 'm.data': createHash('sha256').update(half).digest('hex') };
    const folder = await versions.write({ 'm.onnx': externalModel('m.data'), 'm.data': half }, { external });
    expect(await refusal(folder)).toContain(
      'the file with the weights w has 2 bytes, but they end at byte 4; it is cut off or belongs to another model, so copy it again',
    );
  });

  it('refuses such data in the half-precision file, too', async () => {
    const half = externalModel('../m.data');
    const files = { 'm.onnx': tinyModel({ dims: FREE, body: same }), 'half.onnx': half };
    const fp16 = { file: 'half.onnx', sha256: createHash('sha256').update(half).digest('hex') };
    expect(await refusal(await versions.write(files, { fp16 }))).toContain(
      'the file half.onnx of stage clean keeps weights in "../m.data"',
    );
  });
});

describe('models add', () => {
  const add = (path: string): ReturnType<typeof runModelsCommand> =>
    runModelsCommand(['add', path, '--operation', 'denoise', '--json'], versions.models.path);

  it.each(['a FIFO', 'a link to /dev/zero', 'a folder', 'a huge sparse file'])('refuses %s', async (what) => {
    const { put } = SPECIAL_FILES[what]!;
    const path = join(versions.models.path, 'added.onnx');
    await replaceFile(path, put);
    const { code, stderr } = await add(path);
    await replaceFile(path, async () => undefined);
    expect(stderr).toMatch(
      /^The file \S+added\.onnx (is a (FIFO|device|folder), not a regular file|has \d+ bytes, more than the \d+ that are allowed); .*\.$/m,
    );
    expect(code).toBe(1);
  });

  it.each(['/etc/hostname', '../m.data', 'weights/m.data'])(
    'refuses external data at %s',
    async (location) => {
      const path = join(versions.models.path, 'external.onnx');
      await writeFile(path, externalModel(location));
      const { code, stderr } = await add(path);
      expect(stderr).toContain(
        `The file ${path} keeps weights in "${location}", which is not a plain file name of letters, digits, dots, dashes and underscores; export it with its weights beside it.`,
      );
      expect(code).toBe(1);
    },
  );

  it('says that external data is cut off', async () => {
    const path = join(versions.models.path, 'cut.onnx');
    await writeFile(path, externalModel('cut.data'));
    await writeFile(join(versions.models.path, 'cut.data'), WEIGHT.subarray(0, 2));
    const { code, stderr } = await add(path);
    expect(stderr).toMatch(
      /^cut\.onnx: the file with the weights \S+ has 2 bytes, but they end at byte 4; .* copy it again\.$/m,
    );
    expect(code).toBe(1);
  });

  it('refuses external data that is a FIFO or a link elsewhere', async () => {
    const path = join(versions.models.path, 'external.onnx');
    await writeFile(path, externalModel('w.data'));
    const { put, says } = SPECIAL_FILES['a FIFO']!;
    await put(join(versions.models.path, 'w.data'));
    expect((await add(path)).stderr).toContain(`keeps weights in "w.data": that file ${says}.`);
    await replaceFile(join(versions.models.path, 'w.data'), (file) => symlink('/dev/zero', file));
    expect((await add(path)).stderr).toContain(
      `keeps weights in "w.data": that file ${SPECIAL_FILES['a link to /dev/zero']!.says}.`,
    );
  });
});
