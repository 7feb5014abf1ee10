import { join } from 'node:path';
import type { ModelsAnswer } from '../models-command.js';
import { readingOptions } from './readings/candidates.js';
import { writeStrip } from './candidate-strip.js';
import type { OpenQuestion } from './inspect.js';

const MAX_SHOWN = 8;
const QUESTION =
  'How the model is fed, or what its output means, cannot be told from its results on drawn pictures. Nothing was installed.';

/**
 * The candidates with their pictures, and the options that select each one.
 * @param folder for the PNG, if it can be written
 */
export async function questionAnswer(
  folder: string,
  name: string,
  question: OpenQuestion,
): Promise<ModelsAnswer> {
  const shown = question.candidates.slice(0, MAX_SHOWN);
  const wanted = join(folder, `${name}-candidates.png`);
  const strip = await writeStrip(wanted, { ...question, candidates: shown }).then(
    () => wanted,
    () => null,
  );
  const candidates = shown.map(({ reading, error, fault }, index) => ({
    number: index + 1,
    options: readingOptions(reading),
    error: Math.round(error * 1000) / 1000,
    fault,
  }));
  const all = question.candidates.length;
  const title = all > shown.length ? `Candidates, the best ${shown.length} of ${all}` : 'Candidates';
  const lines = candidates.map(
    ({ number, options, error, fault }) =>
      `  ${number}  ${options}  (error ${error}${fault === null ? '' : `; the result ${fault}`})`,
  );
  const pictures =
    strip === null ? [] : [`Their results are in ${strip}: the source, then the candidates in this order.`];
  const others = all > shown.length ? ' If it is none of these, pass what you know, such as --range.' : '';
  const advice = `Run the command again with the options of the right one.${others}`;
  return {
    json: { ok: false, error: QUESTION, candidates, strip },
    text: [QUESTION, `${title}:`, ...lines, ...pictures, advice].join('\n'),
    failed: true,
  };
}
