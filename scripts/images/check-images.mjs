import { readFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';

/**
 * The name under which a check loads an image into the engine, so that an image of the user with the real name stays.
 * @param {string} image for example `postgres:17-bookworm`
 */
export const checkNameOf = (image) => `ies-check/${image}${image.includes(':') ? '' : ':latest'}`;

/**
 * The images of the services of Compose files, by service.
 * @param {readonly string[]} paths
 * @returns {ReadonlyMap<string, string>}
 */
export function imagesOf(paths) {
  const services = paths.flatMap((path) =>
    Object.entries(parse(readFileSync(path, 'utf8'), { merge: true }).services),
  );
  return new Map(services.flatMap(([service, { image }]) => (image === undefined ? [] : [[service, image]])));
}

/**
 * A Compose file that replaces images by those of the check.
 * @param {ReadonlyMap<string, string>} images by service
 * @param {ReadonlySet<string>} loaded the images that the check has loaded
 * @returns {string} YAML
 */
export function overrideOf(images, loaded) {
  const replaced = [...images].filter(([, image]) => loaded.has(image));
  return stringify({
    services: Object.fromEntries(replaced.map(([name, image]) => [name, { image: checkNameOf(image) }])),
  });
}
