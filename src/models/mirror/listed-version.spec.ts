import { describe, expect, it } from 'vitest';
import { listedVersions, misnamedVersions, type RemoteFile } from './listed-version.js';

const file = (name: string, etag = '"1"'): RemoteFile => ({
  name,
  etag,
  sizeBytes: 1,
  writtenAt: undefined,
});

describe('listedVersions', () => {
  it('finds the versions that have a manifest, with their files', () => {
    const listed = listedVersions(
      ['upscale/2/x2.onnx', 'upscale/2/manifest.json', 'upscale/10/manifest.json', 'upscale/3/x2.onnx'].map(
        (name) => file(name),
      ),
    );
    expect(listed.map(({ name, files }) => [name, files.map((each) => each.name)])).toEqual([
      ['upscale/2', ['upscale/2/x2.onnx', 'upscale/2/manifest.json']],
      ['upscale/10', ['upscale/10/manifest.json']],
    ]);
  });

  it.each([
    'manifest.json',
    'upscale/manifest.json',
    'Upscale/1/manifest.json',
    'upscale/01/manifest.json',
    '../1/manifest.json',
    'upscale/../manifest.json',
    'upscale/1/sub/manifest.json',
    'upscale/1//manifest.json',
  ])('ignores %s', (name) => {
    expect(listedVersions([file(name)])).toEqual([]);
  });

  it.each(['upscale/1/.hidden', 'upscale/1/..', 'upscale/1/a/../../b'])(
    'never includes the file %s',
    (name) => {
      const [version] = listedVersions([file('upscale/1/manifest.json'), file(name)]);
      expect(version!.files).toHaveLength(1);
    },
  );

  it('lists versions of operations that cannot have that name, by their manifests', () => {
    const names = [
      'Upscale/1/manifest.json',
      'Upscale/1/x2.onnx',
      'up-scale/2/manifest.json',
      'upscale/1/manifest.json',
    ];
    const others = [
      'manifest.json',
      '.backup/1/manifest.json',
      'Upscale/old/manifest.json',
      '/1/manifest.json',
      'My Notes/1/notes.txt',
      'Upscale/1/sub/manifest.json',
    ];
    expect(misnamedVersions([...names, ...others].map((name) => file(name)))).toEqual([
      'Upscale/1',
      'up-scale/2',
    ]);
  });

  it('derives the signature of a version from its files, in any order', () => {
    const sign = (...files: RemoteFile[]): string => listedVersions(files)[0]!.signature;
    const [a, b] = [file('upscale/1/manifest.json'), file('upscale/1/x.onnx')];
    expect(sign(a, b)).toBe(sign(b, a));
    expect(sign(a, file('upscale/1/x.onnx', '"2"'))).not.toBe(sign(a, b));
    expect(sign(a)).not.toBe(sign(a, b));
  });
});
