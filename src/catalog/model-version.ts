import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { LEVELS, type Level } from '../kernel/operations.js';
import type { Manifest, StageManifest } from './manifest.js';
import type { AnalyseStageRef, ModelIdentity, ModelRoute, RenderStageRef } from './model-route.js';

/** One checked version of one operation's model, with its routes laid out. */
export class ModelVersion {
  readonly identity: ModelIdentity;
  readonly routes: Readonly<Record<Level, ModelRoute>>;

  /** @param folder absolute path of `models/<operation>/<version>` */
  constructor(
    readonly manifest: Manifest,
    readonly version: number,
    private readonly folder: string,
  ) {
    const digest = createHash('sha256');
    for (const stage of Object.values(manifest.stages)) {
      for (const sha256 of [stage.sha256, ...Object.values(stage.tensorflow?.weights ?? {})])
        digest.update(`${sha256}\n`);
    }
    this.identity = { name: manifest.name, version, sha256: digest.digest('hex') };
    this.routes = Object.fromEntries(LEVELS.map((level) => [level, this.route(level)])) as Record<
      Level,
      ModelRoute
    >;
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
    if (stage?.kind !== 'render') throw new TypeError(`stage ${name} is not a render stage`);
    const { kind, tile, halo, scale, maxBatch, maxDelayMs } = stage;
    const producesAlpha = stage.alpha === 'produce';
    return { ...this.place(name, stage), kind, tile, halo, scale, producesAlpha, maxBatch, maxDelayMs };
  }

  private place(
    name: string,
    { file, tensorflow }: StageManifest,
  ): Pick<AnalyseStageRef, 'id' | 'engine' | 'path' | 'tensorflow'> {
    const id = `${this.manifest.operation}/${this.version}/${name}`;
    const path = join(this.folder, file);
    return { id, engine: this.manifest.engine, path, ...(tensorflow && { tensorflow }) };
  }
}
