import type { Catalog } from '../models/repository/catalog.js';
import type { DeviceStage } from './device/device-port.js';

/** The distinct stages of a catalog; each render stage with the shapes of its maps. */
export function deviceStages(catalog: Pick<Catalog, 'routes'>): readonly DeviceStage[] {
  const stages = new Map<
    string,
    { ref: DeviceStage['ref']; mapSets: Map<string, DeviceStage['mapSets'][number]> }
  >();
  for (const { analyse, render } of catalog.routes()) {
    if (analyse !== null) stages.set(analyse.id, { ref: analyse, mapSets: new Map([['', {}]]) });
    const entry = stages.get(render.id) ?? { ref: render, mapSets: new Map() };
    const maps = analyse?.outputs ?? {};
    stages.set(render.id, { ...entry, mapSets: entry.mapSets.set(JSON.stringify(maps), maps) });
  }
  return [...stages.values()].map(({ ref, mapSets }) => ({ ref, mapSets: [...mapSets.values()] }));
}
