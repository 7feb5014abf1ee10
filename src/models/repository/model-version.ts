import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { LEVELS, type Level } from '../../kernel/operations.js';
import type {
  FileStageManifest,
  Manifest,
  MatteStageManifest,
  RemoteStageManifest,
  StageManifest,
} from '../manifest/manifest.js';
import { keepsPromise } from './model-promise.js';
import type { AnalyseStageRef, ModelIdentity, ModelRoute, RenderStageRef } from '../manifest/model-route.js';
import { adapterOf } from '../manifest/stage-check.js';
import { filesOf } from '../manifest/stage-files.js';

/** One checked version of an operation's model, with its routes. */
export class ModelVersion {
  readonly identity: ModelIdentity;
  readonly routes: Readonly<Record<Level, ModelRoute>>;

  /**
   * @param folder absolute path of `models/<operation>/<version>`
   * @param goldenSha256 hashes of the golden images in order, input before result: no hash in the manifest reveals that
   * one was replaced
   */
  constructor(
    readonly manifest: Manifest,
    readonly version: number,
    readonly folder: string,
    readonly goldenSha256: readonly string[],
  ) {
    const digest = createHash('sha256');
    for (const stage of Object.values(manifest.stages)) {
      for (const { sha256 } of filesOf(stage)) digest.update(`${sha256}\n`);
      const beside = besideFiles(stage);
      if (beside !== null) digest.update(`${JSON.stringify(beside)}\n`);
    }
    this.identity = { name: manifest.name, version, sha256: digest.digest('hex') };
    this.routes = Object.fromEntries(LEVELS.map((level) => [level, this.route(level)])) as Record<
      Level,
      ModelRoute
    >;
  }

  /** Whether an inference server runs some of its stages. */
  get isRemote(): boolean {
    return Object.values(this.manifest.stages).some(({ remote }) => remote !== undefined);
  }

  /** Whether a job that was created for another version may run on this one. */
  keepsPromisesOf(other: ModelVersion): boolean {
    return LEVELS.every((level) => {
      const { scale, producesAlpha } = other.routes[level];
      return keepsPromise(this.routes[level], { version: other.version, scale, producesAlpha });
    });
  }

  private route(level: Level): ModelRoute {
    const { strength, analyse, render: renderName } = this.manifest.levels[level];
    const render = this.renderStage(renderName);
    return {
      model: this.identity,
      operation: this.manifest.operation,
      level,
      strength,
      analyse: analyse === undefined ? null : this.analyseStage(analyse),
      render,
      scale: render.scale,
      producesAlpha: render.producesAlpha,
    };
  }

  private analyseStage(name: string): AnalyseStageRef {
    const stage = this.manifest.stages[name];
    if (stage?.kind !== 'analyse') throw new TypeError(`stage ${name} is not an analyse stage`);
    const { kind, size, outputs, maxBatch, maxDelayMs, noSubject } = stage;
    return {
      ...this.place(name, stage),
      kind,
      size,
      outputs,
      maxBatch,
      maxDelayMs,
      ...(noSubject && { noSubject }),
    };
  }

  private renderStage(name: string): RenderStageRef {
    const stage = this.manifest.stages[name];
    if (stage?.kind === 'matte') return this.matteStage(name, stage);
    if (stage?.kind !== 'render') throw new TypeError(`stage ${name} is not a render stage`);
    const { kind, tile, halo, scale, skipWhereZero, maxBatch, maxDelayMs } = stage;
    return {
      ...this.place(name, stage),
      kind,
      tile,
      halo,
      scale,
      producesAlpha: stage.alpha === 'produce',
      ...(skipWhereZero && { skipWhereZero }),
      maxBatch,
      maxDelayMs,
    };
  }

  private matteStage(
    name: string,
    { analyse, map, tile, maxBatch, maxDelayMs }: MatteStageManifest,
  ): RenderStageRef {
    const size = this.analyseStage(analyse).outputs[map]![1]!;
    const id = this.stageId(name);
    const batching = { maxBatch, maxDelayMs };
    const shape = { tile, halo: 0, scale: 1, producesAlpha: true, skipWhereZero: map, matte: { map, size } };
    return { kind: 'render', id, engine: 'onnx', path: this.folder, ...shape, ...batching };
  }

  private place(
    name: string,
    stage: FileStageManifest | RemoteStageManifest,
  ): Pick<AnalyseStageRef, 'id' | 'engine' | 'path' | 'remote' | 'tensorflow' | 'fp16' | 'int8' | 'adapter'> {
    const { remote } = stage;
    if (remote !== undefined)
      return { id: this.stageId(name), engine: remote.engine, path: this.folder, remote };
    const { file, tensorflow, fp16, int8 } = stage;
    const adapter = adapterOf(stage);
    return {
      id: this.stageId(name),
      engine: this.manifest.engine,
      path: join(this.folder, file),
      ...(tensorflow && { tensorflow }),
      ...(fp16 && {
        fp16: { path: join(this.folder, fp16.file), ...(fp16.dtype && { dtype: fp16.dtype }) },
      }),
      ...(int8 && { int8: { path: join(this.folder, int8.file) } }),
      ...(adapter && { adapter }),
    };
  }

  private stageId(name: string): string {
    return `${this.manifest.operation}/${this.version}/${name}`;
  }
}

/** The settings of a stage that affect its result as much as its files do. */
function besideFiles(stage: StageManifest): unknown {
  if (stage.kind === 'matte') return stage;
  if (stage.remote === undefined) return adapterOf(stage);
  const { engine, model, version } = stage.remote;
  return { engine, model, version };
}
