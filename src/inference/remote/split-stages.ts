import type { Catalog } from '../../models/repository/catalog.js';
import type { DeviceStage } from '../device/device-port.js';
import { deviceStages } from '../device-stages.js';

/** The stages of a catalog by where they run. */
export interface SplitStages {
  readonly local: readonly DeviceStage[];
  readonly remote: readonly DeviceStage[];
  /** Ids of remote analyse stages whose maps local render stages need. */
  readonly mixed: ReadonlySet<string>;
}

export function splitStages(catalog: Pick<Catalog, 'routes'>): SplitStages {
  const stages = deviceStages(catalog);
  const mixed = catalog
    .routes()
    .flatMap(({ analyse, render }) =>
      analyse?.remote !== undefined && render.remote === undefined ? [analyse.id] : [],
    );
  return {
    local: stages.filter(({ ref }) => ref.remote === undefined),
    remote: stages.filter(({ ref }) => ref.remote !== undefined),
    mixed: new Set(mixed),
  };
}
