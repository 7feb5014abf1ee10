// `npm run coverage [-- path]`: writes a page to out/coverage that shows which lines the specs run. Not part of `npm
// test`.
import { packageBin, runNode } from './lib/check.mjs';
import { runScript } from './lib/run-script.mjs';
import { setupPackages } from './lib/setup.mjs';

await runScript({
  invocation: 'npm run coverage --',
  description:
    'Runs specs and reports which lines they run, in out/coverage. By default only the project unit, which takes seconds.',
  declare: (program) =>
    program.argument(
      '[paths...]',
      'only the spec files of any project whose path contains one of these texts',
    ),
  main: async (_, [paths]) => {
    await setupPackages();
    const specs = paths.length === 0 ? ['--project=unit'] : paths;
    const command = [packageBin('vitest', 'vitest.mjs'), 'run', '--coverage', ...specs];
    const { code } = await runNode(command, 'show');
    process.exitCode = code;
  },
});
