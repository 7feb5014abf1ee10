// `npm run build`: ES modules to dist/esm, CommonJS to dist/cjs, each with its types.
import { spawnSync } from 'node:child_process';
import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = dirname(dirname(fileURLToPath(import.meta.url)));
const DIST = join(HERE, 'dist');
const DRAFT = join(HERE, `dist.${process.pid}`);

let compiler;
try {
  compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
} catch {
  process.stderr.write(
    'TypeScript is missing. Run "npm install" here, or "npm run setup" in the repository.\n',
  );
  process.exit(1);
}

/** Editors show the comments of the types. Those of the code would be an eighth of the package. */
const TYPES = ['--emitDeclarationOnly'];
const CODE = ['--declaration', 'false', '--removeComments', '--noCheck'];

// Build in a separate folder, so that programs that import the client in the meantime see the complete old version.
try {
  for (const [format, project, type] of [
    ['esm', 'tsconfig.json', 'module'],
    ['cjs', 'tsconfig.cjs.json', 'commonjs'],
  ]) {
    const out = join(DRAFT, format);
    for (const options of [TYPES, CODE]) {
      const args = [compiler, '-p', join(HERE, project), '--outDir', out, ...options];
      const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
      if (status !== 0) throw new Error(`The ${format} build failed.`);
    }
    writeFileSync(join(out, 'package.json'), `${JSON.stringify({ type })}\n`);
  }
  chmodSync(join(DRAFT, 'esm', 'cli', 'main.js'), 0o755);
  rmSync(DIST, { recursive: true, force: true });
  renameSync(DRAFT, DIST);
} finally {
  rmSync(DRAFT, { recursive: true, force: true });
}
