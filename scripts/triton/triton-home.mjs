import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The virtual environment with Triton that `npm run triton:setup` creates. IES_TRITON_HOME overrides its location. */
export const TRITON_HOME =
  process.env.IES_TRITON_HOME ?? join(homedir(), '.cache', 'image-enhancement', 'triton');

/** The folders of an installed Triton; undefined if it is not installed. */
export function installedTriton() {
  const lib = join(TRITON_HOME, 'lib');
  const python = existsSync(lib) ? readdirSync(lib).find((name) => name.startsWith('python3.')) : undefined;
  if (python === undefined) return undefined;
  const packages = join(lib, python, 'site-packages');
  const root = join(packages, 'pytriton', 'tritonserver');
  const program = join(root, 'bin', 'tritonserver');
  const stub = join(root, 'backends', 'python', 'triton_python_backend_stub');
  if (!existsSync(program) || !existsSync(stub)) return undefined;
  return { packages, root, program, libraries: libraryFolder() };
}

/** The folder of libpython, which the backend is linked to. */
function libraryFolder() {
  const script = 'import sysconfig; print(sysconfig.get_config_var("LIBDIR"))';
  return execFileSync(join(TRITON_HOME, 'bin', 'python3'), ['-c', script], { encoding: 'utf8' }).trim();
}
