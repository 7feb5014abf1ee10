import {
  choiceArgument,
  choiceOption,
  type CommandLine,
  commandLine,
  numberOption,
  UsageError,
} from '../command-line.mjs';
import { invocationOf } from '../invocation.js';
import { addModel } from './models-add.js';
import { benchModels } from './models-bench.js';
import { checkModels } from './models-check.js';
import type { ModelsCommand } from './models-command.js';
import { exportModels } from './models-export.js';
import { listModels } from './models-list.js';
import { pullModel } from './models-pull.js';
import { quantizeModel } from './models-quantize.js';
import { sheetOfModels } from './models-sheet.js';

export type ChooseCommand = (command: ModelsCommand) => void;

/** Declares additional commands. */
export type CommandExtension = (program: CommandLine, choose: ChooseCommand) => void;

const MAX_INSTANCES = 64;
const OPERATION = ['--operation <name>', 'only this operation'] as const;

/**
 * The command line of `npm run models`.
 * @param choose called with the command that the arguments name
 */
export function modelsProgram(choose: ChooseCommand): CommandLine {
  const program = commandLine(
    invocationOf('models'),
    'Manages the model repository in MODELS_DIR (default ./models). Exit code 1: refused or failed; 2: wrong arguments.',
  )
    .usage('<command> [options]')
    .option('--json', 'print the result as JSON');
  program
    .command('list')
    .description(
      'list every version by its files; "npm run admin -- model list" shows what workers serve and refuse',
    )
    .action(() => choose(listModels));
  program
    .command('check')
    .description('try a version, an operation or the whole repository')
    .argument('[what]', 'a version or an operation, such as upscale@2 or upscale, or a folder elsewhere')
    .action((what) => choose(checkModels(what)));
  addAdd(program, choose);
  program
    .command('bench')
    .description('measure every stage, compared with plain convolutions of the same arithmetic')
    .option(...OPERATION)
    .action((options) => choose(benchModels(options)));
  program
    .command('sheet')
    .description('draw every operation and level, before and after, as one PNG')
    .argument('[image]', 'a picture')
    .option('--cases', 'drawn hard cases instead of a picture: skin, night, text, black, alpha and others')
    .option('--out <path>', 'the PNG to write; with --cases the folder')
    .option(...OPERATION)
    .action((image, options) => choose(sheetOfModels(image, options)));
  program
    .command('pull')
    .description('download a well-known model; without a name, list them')
    .argument('[name]', 'a model of the catalog, or recommended')
    .option('--accept-license', 'agree to a license that restricts use')
    .option('--catalog <file>', 'another catalog')
    .option('--sha256 <hex>', 'the hash of a file for which the catalog has none', sha256Option)
    .action((name, options) => choose(pullModel(name, options)));
  program
    .command('quantize')
    .description('create the next version of a third-party model, with 8-bit files added')
    .argument('<version>', 'such as upscale@2')
    .action((version) => choose(quantizeModel(version)));
  addExport(program, choose);
  program
    .command('reload')
    .description('tell a running service to look at its models now')
    .action(() => choose(reload));
  return program;
}

/** Loaded when it is chosen: the modules of the database are a third of all. */
const reload: ModelsCommand = async (context) => {
  const { reloadModels } = await import('./models-reload.js');
  return reloadModels(context);
};

function sha256Option(text: string): string {
  const hash = text.trim().toLowerCase();
  if (/^[0-9a-f]{64}$/.test(hash)) return hash;
  throw new UsageError(`--sha256 must be 64 hex digits, not "${text}".`);
}

function addExport(program: CommandLine, choose: ChooseCommand): void {
  program
    .command('export')
    .description(
      "write an inference server's model repository from the highest valid versions, not those that operators chose",
    )
    .addArgument(choiceArgument('<format>', 'of the repository', ['triton']))
    .argument('<dir>', 'the folder to write')
    .option(...OPERATION)
    .option('--fp16', 'graphs in half precision where a version has them')
    .option(
      '--instances <n>',
      'copies of each model on each device',
      numberOption('--instances', { from: 1, to: MAX_INSTANCES, whole: true }),
      1,
    )
    .option('--manifests <dir>', 'also write version folders for workers that use the server')
    .action((_, dir, options) => choose(exportModels(dir, options)));
}

function addAdd(program: CommandLine, choose: ChooseCommand): void {
  program
    .command('add')
    .description('add a model file of any origin: find out what it needs and write the version folder')
    .argument('<file>', 'an ONNX model, a folder of TensorFlow.js, or esrgan-slim')
    .option('--operation <name>', 'the operation that it serves')
    .option('--name <text>', 'name of the model')
    .option('--license <id>', 'its license')
    .option('--source <text>', 'where it comes from')
    .option('--trained-on <text>', 'what it was trained on')
    .option('--range <low,high>', 'what bytes 0 and 255 become before mean and std')
    .option('--mean <numbers>', 'subtracted after --range: one number, or one for each channel')
    .option('--std <numbers>', 'divided by after --mean')
    .addOption(choiceOption('--channels <order>', 'order of the channels', ['RGB', 'BGR']))
    .addOption(choiceOption('--meaning <what>', 'of the output', ['image', 'residual', 'alpha', 'logits']))
    .option('--output-range <low,high>', 'what black and white are in the output')
    .addOption(choiceOption('--output-channels <order>', 'order of its channels', ['RGB', 'BGR']))
    .option('--force', 'keep the version even if it fails its check')
    .action((file, options) => choose(addModel(file, options)));
}
