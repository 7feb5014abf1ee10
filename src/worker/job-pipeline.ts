import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import type { Enhancer } from '../inference/enhancer.js';
import { ImageCodecs } from '../infra/image/image-codecs.js';
import { ObjectStore } from '../infra/storage/object-store.js';
import { Tracing } from '../infra/telemetry/tracing/tracing.js';
import { JobCompletion } from '../jobs/job-completion.js';
import { SourcesRepository } from '../uploads/sources/sources.repository.js';
import { allEnded } from '../kernel/concurrency/all-ended.js';
import { livemodeOf, TEST_PIXELS_SECONDS } from '../kernel/accounts/livemode.js';
import type { JobRun } from './job-run.js';
import { complete, type CompletionContext } from './steps/complete.js';
import { decode } from './steps/decode.js';
import { draw, failAsAsked, mark } from './steps/draw.js';
import { encode } from './steps/encode.js';
import type { PictureContext } from './steps/decode-picture.js';
import { finish } from './steps/finish.js';
import { enhance } from './steps/enhance.js';
import { loadSource } from './steps/load-source.js';
import { storeResult } from './steps/store-result.js';
import { makeThumbnail, storeThumbnail } from './steps/thumbnail.js';
import { StoredResults } from './stored-results.js';
import { TEST_DEVICE } from './test-route.js';

type RetentionSeconds = Pick<CompletionContext, 'retentionSeconds' | 'maxRetentionSeconds'>;

/**
 * Takes a claimed job from its source's bytes to a recorded result. Each step takes what the step before it
 * returns, so steps in the wrong order do not compile.
 */
@Injectable()
export class JobPipeline {
  constructor(
    private readonly sources: SourcesRepository,
    private readonly store: ObjectStore,
    private readonly codecs: ImageCodecs,
    private readonly completion: JobCompletion,
    private readonly results: StoredResults,
    private readonly tracing: Tracing,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * @param enhancer the device that the job runs on
   * @returns false when the worker no longer held the job at its end, for example because it was canceled
   * @throws AppError when the job fails with a reason for the client; the reason of `run.signal` once it
   * aborts
   */
  async run(run: JobRun, enhancer: Enhancer): Promise<boolean> {
    const held = <Output>(output: Output): Output => {
      run.signal.throwIfAborted();
      return output;
    };
    const { decoder, encoder } = this.codecs;
    const step = async <Output>(name: string, work: () => Promise<Output>): Promise<Output> =>
      held(await this.tracing.span(name, {}, work));
    failAsAsked(run);
    const loaded = () => step('load', () => loadSource(run, this.sources, this.store));
    // Nested, so that the source's bytes are not referenced once they are decoded.
    const decoded = await loaded().then((source) =>
      step('decode', () => decode(run, source, decoder, this.config)),
    );
    const isLive = livemodeOf(run.job.accountId);
    const rendered = isLive
      ? await enhance(run, decoded, enhancer, { stage: step, pictures: this.pictures })
      : await step('draw', () => draw(run, decoded, this.pictures));
    const picture = await step('finish', () => finish(run, rendered, this.pictures));
    const finished = isLive ? picture : await step('mark', () => mark(run, picture));
    // The image library uses one thread for each.
    const [encoded, thumbnail] = await allEnded(
      step('encode', () => encode(run, finished, encoder, this.config)),
      step('thumbnail', () => makeThumbnail(run, finished)),
    );
    await finished.result.remove();
    const stored = await step('store', () => storeResult(run, encoded, this.store));
    const isCompleted = await this.tracing.span('complete', {}, () =>
      complete(run, stored, {
        completion: this.completion,
        device: isLive
          ? [...new Set(run.steps.map(({ route }) => enhancer.deviceOf(route)))].join(',')
          : TEST_DEVICE,
        precision: isLive ? enhancer.precisionOf(run.steps.map(({ route }) => route)) : null,
        results: this.results,
        store: this.store,
        ...(isLive ? this.liveRetention : this.testRetention(run)),
      }),
    );
    if (isCompleted && thumbnail !== undefined) {
      const { store, results } = this;
      await storeThumbnail(run, thumbnail, { store, results });
    }
    return isCompleted;
  }

  private get liveRetention(): RetentionSeconds {
    const { resultRetentionSeconds: retentionSeconds, retentionResultDays } = this.config;
    const longestDays = Math.max(0, ...Object.values(retentionResultDays));
    return { retentionSeconds, maxRetentionSeconds: Math.max(retentionSeconds, longestDays * 86_400) };
  }

  private testRetention({ testOutcome }: JobRun): RetentionSeconds {
    const seconds =
      testOutcome === 'expired' ? 0 : Math.min(this.config.resultRetentionSeconds, TEST_PIXELS_SECONDS);
    return { retentionSeconds: seconds, maxRetentionSeconds: seconds };
  }

  private get pictures(): PictureContext {
    return { sources: this.sources, store: this.store, decoder: this.codecs.decoder, config: this.config };
  }

  /** Ends the processes that decode and encode. */
  async close(): Promise<void> {
    await this.codecs.close();
  }
}
