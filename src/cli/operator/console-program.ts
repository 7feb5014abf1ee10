import type { Choose } from '../administered.js';
import { type CommandLine, numberOption } from '../command-line.mjs';
import { addModelCommands } from './model-program.js';
import { showSettings } from './settings-command.js';
import { listWorkers, showWorkerLog, wantOfWorker } from './worker-commands.js';

const WORKER = ['<worker id>', 'id of the worker, see "worker list"'] as const;
const MAX_LINES = 500;

/** Adds the commands for the parts of the operator console that concern processes. */
export function addConsoleCommands(program: CommandLine, choose: Choose): void {
  program
    .command('settings')
    .description('show the settings in force, and where each comes from')
    .action(() => choose(showSettings));
  addModelCommands(program, choose);
  const worker = program.command('worker').description('the worker processes');
  worker
    .command('list')
    .description('list the workers, what they serve and run')
    .action(() => choose(listWorkers));
  worker
    .command('drain')
    .description('let a worker finish its jobs and take no others')
    .argument(...WORKER)
    .action((id) => choose(wantOfWorker(id, 'drain')));
  worker
    .command('resume')
    .description('let a drained worker take jobs again')
    .argument(...WORKER)
    .action((id) => choose(wantOfWorker(id, 'serve')));
  worker
    .command('restart')
    .description('drain a worker and end it, so that another one is started')
    .argument(...WORKER)
    .action((id) => choose(wantOfWorker(id, 'restart')));
  worker
    .command('log')
    .description("show the last lines of a worker's log")
    .argument(...WORKER)
    .option(
      '--lines <n>',
      'number of lines',
      numberOption('--lines', { from: 1, to: MAX_LINES, whole: true }),
      200,
    )
    .action((id, { lines }) => choose(showWorkerLog(id, lines)));
}
