import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync } from 'node:fs';
import { buildah } from '../../../scripts/images/buildah.mjs';
import { eventually, type Look } from '../roles/flow-wait.js';

/** A role needs seconds to start. */
const LOOK_PAUSE_MS = 250;

/** How an image says it is started. */
export interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Cmd: readonly string[];
  readonly WorkingDir: string;
  readonly StopSignal: string;
  readonly Labels: Readonly<Record<string, string>>;
  readonly Volumes: Readonly<Record<string, unknown>>;
  readonly Healthcheck: { readonly Test: readonly string[] };
}

export function imageConfig(name: string): ImageConfig {
  const described = JSON.parse(buildah('inspect', '--type', 'image', name)) as {
    Docker: { config: ImageConfig };
  };
  return described.Docker.config;
}

/** The digests of an image's layers, lowest first. */
export function imageLayers(name: string): readonly string[] {
  const described = JSON.parse(buildah('inspect', '--type', 'image', name)) as {
    Docker: { rootfs: { diff_ids: readonly string[] } };
  };
  return described.Docker.rootfs.diff_ids;
}

/**
 * As `docker run --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges -v data:/data --network host`:
 * the program of the image is the first process of its own process namespace.
 */
const START = `set -e
root=$1 data=$2 secrets=$3 user=$4 dir=$5
shift 5
mount --bind "$root" "$root"
mount --bind "$data" "$root/data"
mount -t tmpfs -o mode=1777 tmp "$root/tmp"
mount -t tmpfs -o mode=0755 run "$root/run"
mkdir "$root/run/secrets"
mount --bind "$secrets" "$root/run/secrets"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=0755 dev "$root/dev"
for device in null zero full random urandom; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mkdir -m 1777 "$root/dev/shm"
mount -o remount,bind,ro "$root"
exec chroot "$root" setpriv --reuid "\${user%:*}" --regid "\${user#*:}" --clear-groups --no-new-privs \\
  --inh-caps=-all --bounding-set=-all env -C "$dir" "$@"`;

export interface ImageRun {
  readonly image: string;
  /** The volume `/data`. */
  readonly dataDir: string;
  /** Mounted as `/run/secrets`. */
  readonly secretsDir: string;
  readonly env: Readonly<Record<string, string>>;
  /** Default: the command of the image. */
  readonly command?: readonly string[];
}

/** An image started like in a container engine, except that it uses the network of the machine. */
export class ImageProcess {
  stdout = '';
  stderr = '';
  readonly ended: Promise<number>;
  private readonly killNow = (): void => {
    // A process that changes its user no longer dies with its parent, so the inner one is killed.
    const inner = this.pid;
    if (inner === undefined) this.child.kill('SIGKILL');
    else process.kill(inner, 'SIGKILL');
  };

  private constructor(
    readonly config: ImageConfig,
    private readonly container: string,
    private readonly env: Readonly<Record<string, string>>,
    private readonly child: ChildProcess,
  ) {
    child.stdout!.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.ended = new Promise((resolve) => child.once('close', (code) => resolve(code ?? -1)));
    process.once('exit', this.killNow);
  }

  static start(run: ImageRun): ImageProcess {
    const config = imageConfig(run.image);
    const container = buildah('from', '--pull-never', run.image);
    const root = buildah('mount', container);
    mkdirSync(run.dataDir, { recursive: true });
    const [uid, gid] = config.User.split(':').map(Number);
    chownSync(run.dataDir, uid!, gid!);
    const env = { ...Object.fromEntries(config.Env.map(split)), ...run.env };
    const places = [root, run.dataDir, run.secretsDir, config.User, config.WorkingDir];
    const program = run.command ?? config.Cmd;
    const isolated = [
      '--mount',
      '--pid',
      '--ipc',
      '--fork',
      '--kill-child',
      'sh',
      '-c',
      START,
      'sh',
      ...places,
    ];
    const child = spawn('unshare', [...isolated, ...program], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    return new ImageProcess(config, container, env, child);
  }

  /** The first process of the container, by its id on this machine; undefined once it has ended. */
  get pid(): number | undefined {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return undefined;
    const children = readFileSync(`/proc/${this.child.pid}/task/${this.child.pid}/children`, 'utf8').trim();
    return children === '' ? undefined : Number(children.split(' ')[0]);
  }

  /** Runs a command inside the container as its user. */
  exec(...command: readonly string[]): { readonly status: number | null; readonly output: string } {
    const inside = ['--target', String(this.pid), '--mount', '--pid', '--ipc', '--root', '--wd=/'];
    const user = ['--setuid', '1000', '--setgid', '1000'];
    const result = spawnSync('nsenter', [...inside, ...user, ...command], {
      encoding: 'utf8',
      env: this.env,
    });
    return { status: result.status, output: `${result.stdout}${result.stderr}` };
  }

  /** The exit code of the image's HEALTHCHECK. */
  health(): number | null {
    return this.exec(...this.config.Healthcheck.Test.slice(1)).status;
  }

  /** Waits until the role is ready, then runs the HEALTHCHECK, which starts a process. */
  async untilHealthy(): Promise<void> {
    const look = async (): Promise<Look<true>> => {
      if (this.child.exitCode !== null)
        throw new Error(`it ended with ${this.child.exitCode}: ${this.stderr}`);
      return (await this.isReady()) ? { found: true } : { seen: this.stderr.slice(-500) };
    };
    await eventually(`${this.container} to be ready`, look, { maxPauseMs: LOOK_PAUSE_MS });
    const status = this.health();
    if (status !== 0) throw new Error(`its HEALTHCHECK exits with ${status}: ${this.stderr.slice(-500)}`);
  }

  /** The request of the HEALTHCHECK, sent from here. */
  private async isReady(): Promise<boolean> {
    const [variable, standard] = this.config.Healthcheck.Test.slice(3) as [string, string];
    const url = `http://127.0.0.1:${this.env[variable] ?? standard}/health/ready`;
    return fetch(url).then(
      async (response) => {
        await response.body?.cancel();
        return response.ok;
      },
      () => false,
    );
  }

  /** Like `docker stop`, but without its timeout. @returns the exit code */
  async stop(): Promise<number> {
    const { pid } = this;
    if (pid !== undefined) process.kill(pid, this.config.StopSignal);
    return this.ended;
  }

  /** Ends what still runs and removes the container. */
  async close(): Promise<void> {
    process.off('exit', this.killNow);
    if (this.child.exitCode === null && this.child.signalCode === null) this.killNow();
    await this.ended;
    buildah('rm', this.container);
  }
}

function split(variable: string): [string, string] {
  const at = variable.indexOf('=');
  return [variable.slice(0, at), variable.slice(at + 1)];
}
