import { type ObjectSchema, schemaOfDto } from '../../../common/resources/dto-schema.js';
import { BatchDto } from '../../../common/resources/batch.dto.js';
import { METADATA_SHORTENED } from './job.schema.js';

/** A batch as `GET /api/ai/batches` lists it. */
export function batchSchema(): ObjectSchema {
  const schema = schemaOfDto(BatchDto);
  return { ...schema, properties: { ...schema.properties, metadataShortened: METADATA_SHORTENED } };
}
