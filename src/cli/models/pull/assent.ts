import { createInterface } from 'node:readline/promises';
import { type ModelsContext, ModelsError } from '../models-command.js';
import type { UpstreamModel } from './upstream-catalog.js';

/** Asks the user to agree to a license that restricts the use. @throws ModelsError */
export async function requireAssent(
  { title, license }: UpstreamModel,
  context: ModelsContext,
): Promise<void> {
  if (license.permissive) return;
  const text = `${title} is published under ${license.id} (${license.address}), which does not allow every use.`;
  await agreed(text, 'license', context);
}

/**
 * Asks once for several models, so that nothing is downloaded before their licenses were shown.
 * @throws ModelsError when the user declines or cannot be asked
 */
export async function requireAssentToAll(
  models: readonly UpstreamModel[],
  context: ModelsContext,
): Promise<void> {
  const lines = models.map(
    ({ name, title, license, file }) =>
      `  ${name}: ${title}, ${license.id} (${license.address})${file.bytes === null ? '' : `, ${(file.bytes / 1e6).toFixed(1)} MB`}`,
  );
  await agreed(['These models are published by others:', ...lines].join('\n'), 'licenses', context);
}

async function agreed(
  text: string,
  what: 'license' | 'licenses',
  { isJson, signal }: ModelsContext,
): Promise<void> {
  if (!process.stdin.isTTY || isJson)
    throw new ModelsError(
      `${text}${what === 'license' ? ' ' : '\n'}Read the ${what}, and run the command again with --accept-license.`,
    );
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  // In a terminal, Ctrl-C is a key of the prompt, not a signal.
  prompt.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const answer = await prompt.question(`${text}\nDo you agree? Type yes: `, { signal }).catch(() => '');
  prompt.close();
  signal.throwIfAborted();
  if (answer.trim().toLowerCase() !== 'yes') throw new ModelsError('Not agreed; nothing was downloaded.');
}
