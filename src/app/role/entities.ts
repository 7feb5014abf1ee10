import { AccountEntity } from '../../accounts/account.entity.js';
import { ApiKeyEntity } from '../../auth/keys/api-key.entity.js';
import { JobEntity } from '../../jobs/job.entity.js';
import { ModelWorkerEntity } from '../../models/serving/model-worker.entity.js';
import { SourceEntity } from '../../uploads/sources/source.entity.js';
import { AttemptEntity } from '../../webhooks/deliveries/attempt.entity.js';
import { DeliveryEntity } from '../../webhooks/deliveries/delivery.entity.js';
import { EndpointEntity } from '../../webhooks/endpoints/endpoint.entity.js';
import { EventEntity } from '../../webhooks/events/event.entity.js';

/** Every TypeORM entity. */
export const ENTITIES = [
  AccountEntity,
  ApiKeyEntity,
  SourceEntity,
  JobEntity,
  EventEntity,
  EndpointEntity,
  DeliveryEntity,
  AttemptEntity,
  ModelWorkerEntity,
];
