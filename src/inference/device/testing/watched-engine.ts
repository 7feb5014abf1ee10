import { setTimeout as sleep } from 'node:timers/promises';
import type { StageRef } from '../../../models/manifest/model-route.js';
import type { Engine, Graph } from '../../engines/engine.js';
import { OnnxEngine } from '../../engines/onnx-engine.js';
import { type NamedTensors, shapeText } from '../../tensor.js';

/** One run of a graph. */
export interface Feed {
  readonly stageId: string;
  /** Type and shape of every input. */
  readonly shapes: string;
  readonly batch: number;
  /** Pixels along each side of the images. */
  readonly edge: number;
}

/**
 * The CPU engine, observed by a test. The test sees every run and may make it fail.
 */
export class WatchedEngine implements Engine {
  readonly feeds: Feed[] = [];
  /** The time that each item of a run takes in addition, as with a larger graph. */
  itemMs = 0;
  /** Uses a fixed precision: `auto` measures, so two engines on a busy machine may choose differently. */
  private readonly engine = new OnnxEngine({
    provider: 'cpu',
    threads: 1,
    isGuess: false,
    precision: 'float32',
  });

  /**
   * @param refuse returns an error message to fail with, or undefined
   * @param changeMs behaves like a runtime that keeps one shape, and takes this time for a new one
   * @param provider the one that it claims to be
   */
  constructor(
    private readonly refuse: (feed: Feed) => string | undefined = () => undefined,
    private readonly changeMs?: number,
    readonly provider = 'cpu',
  ) {}

  async load(stage: StageRef): Promise<Graph> {
    const graph = await this.engine.load(stage);
    return {
      inputNames: graph.inputNames,
      outputNames: graph.outputNames,
      takesAnySize: graph.takesAnySize === true,
      takesResults: graph.takesResults === true,
      keepsOneShape: this.changeMs !== undefined,
      release: () => graph.release(),
      run: async (inputs, signal, results) => {
        const feed = feedOf(stage.id, inputs);
        const isNew = feed.shapes !== this.feeds.at(-1)?.shapes;
        this.feeds.push(feed);
        const text = this.refuse(feed);
        if (text !== undefined) throw new Error(text);
        const waitMs = feed.batch * this.itemMs + (isNew ? (this.changeMs ?? 0) : 0);
        if (waitMs > 0) await sleep(waitMs);
        return graph.run(inputs, signal, results);
      },
    };
  }
}

function feedOf(stageId: string, inputs: NamedTensors): Feed {
  const { dims } = inputs['image']!;
  const shapes = Object.entries(inputs).map(([name, tensor]) => name + shapeText(tensor.type, tensor.dims));
  return { stageId, shapes: shapes.toSorted().join(' '), batch: dims[0]!, edge: dims[1]! };
}
