import { type JsonSchema, schemaOfDto } from '../../../common/resources/dto-schema.js';
import { ExceededQuotaDto } from '../../../common/resources/exceeded-quota.dto.js';
import { SourceDto } from '../../../common/resources/source.dto.js';
import {
  type AnyEventType,
  EVENT_TYPES,
  type EventType,
  originalOf,
  SERVICE_EVENT_TYPES,
} from '../event-types.js';
import { EXAMPLE_BATCH, exampleJob, EXAMPLE_QUOTA, EXAMPLE_UPLOAD } from './examples.js';
import { batchSchema } from './batch.schema.js';
import { type Happening, objectOf } from './happening.js';
import { jobSchema } from './job.schema.js';
import { SERVICE_HAPPENINGS } from './service-happenings.js';

/** The public description of an event type. */
export interface EventCatalogEntry {
  readonly type: AnyEventType;
  readonly description: string;
  /** The type that it accompanies; null for an independent type. */
  readonly aliasOf: EventType | null;
  /** JSON Schema (2020-12) of the whole body. */
  readonly schema: JsonSchema;
  /** A body. */
  readonly example: Readonly<Record<string, unknown>>;
}

const COMPLETED: Happening = {
  description: 'A job has completed; its result can be read at `resultUrl`.',
  data: objectOf({ job: jobSchema('completed') }),
  example: { job: exampleJob('completed') },
};

const UPLOADED: Happening = {
  description: 'A source image was uploaded and kept.',
  data: objectOf({ upload: schemaOfDto(SourceDto) }),
  example: { upload: EXAMPLE_UPLOAD },
};

const HAPPENINGS: Readonly<Record<EventType, Happening>> = {
  'enhancement.queued': {
    description:
      'A job was created and waits for a worker. Not sent for a job that gets its result from the cache.',
    data: objectOf({ job: jobSchema('queued') }),
    example: { job: exampleJob('queued') },
  },
  'enhancement.completed': COMPLETED,
  'enhancement.failed': {
    description: 'A job has failed or was canceled, and cost nothing. `error` says why.',
    data: objectOf({ job: jobSchema('failed') }),
    example: { job: exampleJob('failed') },
  },
  'image.uploaded': UPLOADED,
  'quota.exceeded': {
    description:
      'A request was refused because a quota is used up: on the first refusal, then at most once an hour.',
    data: objectOf({ quota: schemaOfDto(ExceededQuotaDto) }),
    example: { quota: EXAMPLE_QUOTA },
  },
  ping: {
    description:
      'A test of this endpoint was requested. Sent regardless of the types that the endpoint has selected.',
    data: { type: 'object', maxProperties: 0 },
    example: {},
  },
  'job.completed': alias(COMPLETED, 'enhancement.completed'),
  'image.completed': alias(COMPLETED, 'enhancement.completed'),
  'upload.finished': alias(UPLOADED, 'image.uploaded'),
  'batch.completed': {
    description:
      'Every item of a batch has ended; `counts` shows the outcomes. Sent once for a batch, and again after each retry.',
    data: objectOf({ batch: batchSchema() }),
    example: { batch: EXAMPLE_BATCH },
  },
  'batch.item.failed': {
    description:
      'An item of a batch has failed; canceled items are not reported. Sent together with `enhancement.failed` of the same job.',
    data: objectOf({ job: jobSchema('failed') }),
    example: { job: Object.assign(exampleJob('failed'), { batchId: EXAMPLE_BATCH.id, batchIndex: 17 }) },
  },
};

function alias(happening: Happening, of: EventType): Happening {
  return { ...happening, description: `${happening.description} Sent together with \`${of}\`.` };
}

/** Every event type, those of the specification first, with the schema of its body and an example. */
export const EVENT_CATALOG: readonly EventCatalogEntry[] = EVENT_TYPES.map((type) =>
  entryOf(type, HAPPENINGS[type]),
);

/** The types that only operators can choose. */
export const SERVICE_EVENT_CATALOG: readonly EventCatalogEntry[] = SERVICE_EVENT_TYPES.map((type) =>
  entryOf(type, SERVICE_HAPPENINGS[type]),
);

function entryOf(type: AnyEventType, { description, data, example }: Happening): EventCatalogEntry {
  return {
    type,
    description,
    aliasOf: originalOf(type),
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: type,
      ...objectOf({
        id: { type: 'string', pattern: '^evt_[0-9a-f]{32}$' },
        type: { const: type },
        createdAt: { type: 'string', format: 'date-time' },
        livemode: { type: 'boolean', description: 'False for an event of test mode.' },
        data,
      }),
    },
    example: {
      id: 'evt_0193f2c4aa007c3d8e4f5a6b7c8d9e0f',
      type,
      createdAt: '2026-11-21T08:00:02.311Z',
      livemode: true,
      data: example,
    },
  };
}
