import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VERSION } from '../../../clients/js/src/version.js';
import { CLIENT, ensureClientBuild } from './client-build.js';

/** How a program ended and what it wrote. */
export interface ProgramEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A project of somebody's that has installed the JavaScript client as a package. */
export class InstalledClient {
  private constructor(readonly folder: string) {}

  static async create(): Promise<InstalledClient> {
    await ensureClientBuild();
    const installed = new InstalledClient(await mkdtemp(join(tmpdir(), 'ies-installed-')));
    await installed.write('package.json', '{ "name": "somebody", "private": true }');
    installed.npm('pack', '--ignore-scripts', '--pack-destination', installed.folder, CLIENT);
    installed.npm(
      'install',
      '--offline',
      '--no-audit',
      '--no-fund',
      `./image-enhancement-client-${VERSION}.tgz`,
    );
    return installed;
  }

  async write(name: string, content: string | Uint8Array): Promise<void> {
    await writeFile(join(this.folder, name), content);
  }

  path(...names: string[]): string {
    return join(this.folder, ...names);
  }

  /** @throws Error with what npm wrote when it fails */
  npm(...args: string[]): string {
    const { status, stdout, stderr } = spawnSync('npm', args, { cwd: this.folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`npm ${args.join(' ')}:\n${stdout}${stderr}`);
    return stdout;
  }

  /** Runs a program in the folder to its end. */
  async run(
    command: readonly string[],
    env: Readonly<Record<string, string>>,
    onStart: (kill: (signal: NodeJS.Signals) => void) => void = () => undefined,
  ): Promise<ProgramEnd> {
    const [program, ...args] = command;
    const child = spawn(program!, args, {
      cwd: this.folder,
      env: { PATH: process.env['PATH'], HOME: this.folder, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    onStart((signal) => void child.kill(signal));
    const code = await new Promise<number | null>((resolve) => void child.once('close', resolve));
    return { code, stdout, stderr };
  }

  /** Runs the text of a program with Node.js. @throws Error when it fails or complains */
  async node(
    name: string,
    text: string,
    env: Readonly<Record<string, string>>,
    flags: readonly string[] = [],
  ): Promise<string> {
    await this.write(name, text);
    const { code, stdout, stderr } = await this.run([process.execPath, ...flags, name], env);
    if (code !== 0 || stderr !== '') throw new Error(`${name} ended with ${code}:\n${stdout}${stderr}`);
    return stdout;
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
