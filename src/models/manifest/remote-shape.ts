import { matching, object, type Shape, whole, word } from './shape.js';

const ADDRESS = String.raw`https?:\/\/[^\s,@]+`;

/** A model on an inference server, instead of a file. */
export const REMOTE_SHAPE: Shape = object(
  {
    engine: word(
      ['triton'],
      'An inference server: Triton, or another that speaks the Open Inference Protocol.',
    ),
    model: matching(
      /^[A-Za-z0-9][A-Za-z0-9._-]*$/,
      'letters, digits, dots, dashes and underscores',
      'Name of the model on the server.',
    ),
    version: whole(1, 1_000_000_000, 'Its version on the server.'),
  },
  {
    url: matching(
      new RegExp(`^${ADDRESS}(\\s*,\\s*${ADDRESS})*$`),
      'one or several addresses such as http://triton:8000, separated by commas and without user and password',
      'Where the replicas of the server listen. Default: TRITON_URL.',
    ),
  },
);
