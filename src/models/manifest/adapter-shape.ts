import { listOf, object, real, sentence, type Shape, variants, whole, word } from './shape.js';

const valueName = sentence('Name of the tensor in the graph.');

const pair = (description: string): Shape =>
  listOf(real(-1_000_000, 1_000_000, 'A number.'), 2, 2, description);

const perChannel = (description: string): Shape =>
  listOf(real(-1_000_000, 1_000_000, 'One number, or one for each channel.'), 1, 3, description);

const layouts = ['NCHW', 'NHWC'] as const;
const dtype = word(['float32', 'float16', 'uint8'], 'Element type the graph declares.');
const channels = word(
  ['RGB', 'BGR', 'Y'],
  'Order of the channels. `Y`: luminance alone; chroma is carried around the graph.',
);
const mode = (value: string, description: string): Shape => word([value], description);

const sizeRule = variants('mode', {
  any: object({ mode: mode('any', 'Any size.') }),
  'multiple-of': object({
    mode: mode('multiple-of', 'Height and width must be multiples of `of`.'),
    of: whole(2, 1024, 'The factor, in pixels.'),
  }),
  fixed: object({
    mode: mode('fixed', 'Exactly one size.'),
    height: whole(1, 4096, 'Pixels.'),
    width: whole(1, 4096, 'Pixels.'),
  }),
});

/** `input` of a stage whose graph was not made for this service. */
export const INPUT_SHAPE: Shape = object(
  {
    name: valueName,
    layout: word(layouts, 'Order of the axes.'),
    dtype,
    channels,
    range: pair('What bytes 0 and 255 become, for example [0, 1] or [-1, 1].'),
    size: sizeRule,
  },
  {
    mean: perChannel('Subtracted after `range`, in its units; channels in the order of `channels`.'),
    std: perChannel('Divided by after `mean`.'),
    resize: word(
      ['pad', 'stretch'],
      'How an image of another size is fitted: `pad` replicates the border and crops the output; `stretch` resizes.',
    ),
  },
);

/** `output` of a stage whose graph was not made for this service. */
export const OUTPUT_SHAPE: Shape = object(
  {
    name: valueName,
    layout: word([...layouts, 'NHW'], 'Order of the axes; `NHW` has no channel axis.'),
    dtype,
    meaning: word(
      ['image', 'alpha', 'logits', 'residual'],
      '`image`: pixels. `residual`: added to the (enlarged) source. `alpha`: how much of the subject. `logits`: the same before its sigmoid.',
    ),
    range: pair(
      'The values that map to 0 and 255 (image) or to 0 and 1 (alpha). For a residual, only their difference matters.',
    ),
  },
  {
    channels: word(['RGB', 'BGR', 'Y'], 'Of an image or residual: order of the channels.'),
    activation: word(
      ['none', 'sigmoid', 'tanh', 'softmax', 'minmax'],
      'Applied first. Default: `sigmoid` for logits, else `none`. `minmax` stretches each map to 0–1.',
    ),
    channel: whole(0, 1024, 'Index of the alpha channel; default 0.'),
    base: word(
      ['nearest', 'bilinear', 'bicubic'],
      'How chroma, alpha and what a residual is added to are enlarged; default `bicubic`.',
    ),
    strength: word(
      ['ignore', 'blend'],
      "`blend`: the level's strength mixes the result with the (enlarged) source. Default `ignore`.",
    ),
  },
);

/** `luma` of a stage. */
export const LUMA_SHAPE: Shape = word(
  ['full', 'studio'],
  'Meaning of `Y`: `full` counts 0–255 as JPEG does (default), `studio` 16–235 as MATLAB and video do.',
);
