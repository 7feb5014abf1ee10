import { deviceEnvironment } from '../../config/child-environment.js';
import { compiledModule } from '../../config/compiled-module.js';
import { askOnce } from '../../infra/processes/ask-once.js';
import { isRepeatableFailure } from '../check/repeatable-failure.js';
import type { ModelFault } from './model-fault.js';
import type { TrialRequest } from './trial.js';

/** Time limit. Far longer than any valid model takes to load and to run once. */
const LIMIT_MS = 300_000;

/**
 * Tries a version in a separate process.
 * @param signal ends the trial; the promise then rejects
 * @returns why it cannot serve, or null when it runs
 */
export async function runTrialInProcess(
  order: TrialRequest,
  signal: AbortSignal,
): Promise<ModelFault | null> {
  const end = await askOnce(compiledModule('main.model-trial.js'), order, {
    env: deviceEnvironment(),
    limitMs: LIMIT_MS,
    signal,
  });
  if (end.kind === 'answered') return (end.answer as { readonly fault: ModelFault | null }).fault;
  if (end.kind === 'late')
    return { reason: `it was not ready after ${LIMIT_MS / 1000} s; make it smaller`, isTransient: true };
  const { code, signal: how } = end;
  return {
    reason: `it ended the process that tried it (${how ?? `exit code ${code}`})${advice(how)}`,
    isTransient: !isRepeatableFailure(how),
  };
}

function advice(how: NodeJS.Signals | null): string {
  return how === 'SIGKILL' ? '; most likely it wants more memory than there is' : '';
}
