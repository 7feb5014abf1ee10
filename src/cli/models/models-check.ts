import { relative } from 'node:path';
import { configuredTriton } from '../../inference/engines/triton/configured-triton.js';
import { checkVersion } from '../../models/check/check-version.js';
import type { VersionVerdict } from '../../models/check/verdict.js';
import type { ModelsAnswer, ModelsCommand, ModelsContext } from './models-command.js';
import { foldersAt, namedFolders } from './version-folders.js';

/**
 * `models check [what]`: runs every check that a version must pass before it serves. Exit code 1 when a version fails.
 */
export function checkModels(what: string | undefined): ModelsCommand {
  return async (context) => {
    const { modelsDir } = context.config;
    return checked(
      context,
      await (what === undefined ? foldersAt(modelsDir) : namedFolders(modelsDir, what)),
    );
  };
}

async function checked(context: ModelsContext, paths: readonly string[]): Promise<ModelsAnswer> {
  const verdicts: VersionVerdict[] = [];
  context.progress.begin(paths.length, 'checking');
  for (const [index, path] of paths.entries()) {
    context.progress.to(index, relative('.', path));
    verdicts.push(await checkedVersion(context, path, index));
  }
  context.progress.end();
  return {
    json: verdicts,
    text: verdicts.map(verdictText).join('\n'),
    failed: verdicts.some(({ ok }) => !ok),
  };
}

function checkedVersion(
  { config, progress, signal }: ModelsContext,
  path: string,
  index: number,
): Promise<VersionVerdict> {
  return checkVersion(path, {
    memoryLimitBytes: config.modelCheckMemoryBytes,
    threads: config.inferenceThreads,
    triton: configuredTriton(config),
    notes: true,
    signal,
    onStep: (doing) => progress.to(index, doing.replace(/ fails /, ' ')),
  });
}

/** The reason for the rejection, or what ran. */
export function verdictText(verdict: VersionVerdict): string {
  if (!verdict.ok) return verdict.refusal.message;
  const { operation, version, model, stages } = verdict;
  const lines = stages.map(
    ({ stage, shapes, itemMs, composed }) =>
      `  ${stage}: ${shapes.join(', ')}; ${itemMs} ms an item on the CPU${composed ? '; composed graph' : ''}`,
  );
  const notes = stages.flatMap((stage) => stage.notes.map((note) => `  Look at ${note}.`));
  return [`${operation}/${version} is sound: ${model.name}`, ...lines, ...notes].join('\n');
}
