import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { OperatorOnly } from '../../common/access/access.decorator.js';
import { quantileMs } from '../load/latency-buckets.js';
import { type LoadSample, SamplesRepository } from '../load/samples.repository.js';
import { HistoryQueryDto, LoadHistoryDto, type LoadPointDto, SPANS } from './history.dto.js';
import { OverviewDto } from './overview.dto.js';
import { Overview } from './overview.js';

const SECONDS_PER_MINUTE = 60;

/** The current load of the whole service, and its history. */
@Controller('operator/api')
@OperatorOnly()
export class OverviewController {
  constructor(
    private readonly overview: Overview,
    private readonly samples: SamplesRepository,
  ) {}

  @Get('overview')
  @ApiOkResponse({ type: OverviewDto })
  now(): Promise<OverviewDto> {
    return this.overview.read();
  }

  @Get('history')
  @ApiOkResponse({ type: LoadHistoryDto })
  async history(@Query() { span }: HistoryQueryDto): Promise<LoadHistoryDto> {
    const { resolution, spanSeconds } = SPANS[span];
    const samples = await this.samples.read(resolution, spanSeconds);
    return { span, resolution, points: samples.map((sample) => pointOf(sample, resolution)) };
  }
}

function pointOf({ at, latencies, jobs, ...sample }: LoadSample, resolution: number): LoadPointDto {
  return {
    at: at.toISOString(),
    jobsPerMinute: (jobs * SECONDS_PER_MINUTE) / resolution,
    failed: sample.failed,
    p50Ms: quantileMs(latencies, 0.5),
    p99Ms: quantileMs(latencies, 0.99),
    queued: sample.queued,
    oldestWaitSeconds: sample.oldestWaitSeconds,
    workers: sample.workers,
    gpuUtilization: sample.gpuUtilization,
    gpuMemoryBytes: sample.gpuMemoryBytes,
    deliveriesDue: sample.deliveriesDue,
  };
}
