import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { withFileLock } from '../../../src/infra/processes/file-lock.mjs';
import { VERSION } from '../../../clients/js/src/version.js';
import { CLIENT, ensureClientBuild } from './client-build.js';

/** How a program ended and what it wrote. */
export interface ProgramEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A project of a user who has installed the JavaScript client as a package. */
export class InstalledClient {
  private constructor(readonly folder: string) {}

  static async create(): Promise<InstalledClient> {
    const first = join(inject('runDir'), 'installed-client');
    await withFileLock(
      `${first}.lock`,
      () => undefined,
      () => InstalledClient.install(first),
    );
    const installed = new InstalledClient(await mkdtemp(join(tmpdir(), 'ies-installed-')));
    await cp(first, installed.folder, { recursive: true, verbatimSymlinks: true });
    return installed;
  }

  /** Packs and installs it once for all specs of a run, since npm takes 0.7 s of CPU. */
  private static async install(folder: string): Promise<void> {
    if (existsSync(folder)) return;
    await ensureClientBuild();
    const draft = new InstalledClient(`${folder}-next`);
    await rm(draft.folder, { recursive: true, force: true });
    await mkdir(draft.folder);
    await draft.write('package.json', '{ "name": "somebody", "private": true }');
    draft.npm('pack', '--ignore-scripts', '--pack-destination', draft.folder, CLIENT);
    draft.npm('install', '--offline', '--no-audit', '--no-fund', `./image-enhancement-client-${VERSION}.tgz`);
    await rename(draft.folder, folder);
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
