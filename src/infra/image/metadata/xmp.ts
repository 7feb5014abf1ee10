import type { MetadataMode } from '../../../kernel/output-options.js';

/** Maximum data of one JPEG segment, less its name. Longer packets are dropped. */
const MAX_XMP_BYTES = 60_000;
const END_OF_RDF = '</rdf:RDF>';

const EMPTY_XMP = `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${END_OF_RDF}</x:xmpmeta>
<?xpacket end="w"?>`;

const IPTC_EXTENSION = 'http://iptc.org/std/Iptc4xmpExt/2008-02-29/';

/** Properties about the pixels or the container of the source, which are not those of the result. */
const OUTDATED = [
  'tiff:Orientation',
  '(?:tiff|exif):(?:ImageWidth|ImageLength|PixelXDimension|PixelYDimension)',
  'tiff:(?:XResolution|YResolution|ResolutionUnit)',
  'exif:FocalPlane\\w+',
  'exif:ColorSpace',
  'photoshop:ICCProfile',
  '\\w+:Thumbnails',
  'hdrgm:\\w+',
  'G?Container:Directory',
  'GCamera:(?:MotionPhoto|MicroVideo)\\w*',
  // The second packet of the source is not kept.
  'xmpNote:HasExtendedXMP',
];

/** Names of coordinates under any prefix, for example `drone-skydio:Latitude`, and namespaces of other ones. */
const COORDINATES = /GPS|latitude|longitude|wgs84_pos|georss/i;

/**
 * The XMP packet of a source without the properties that no longer apply to the result: orientation, sizes,
 * resolutions, the color space, thumbnails, other images in the file, and coordinates if they are unwanted. Undefined
 * when nothing is left, or when coordinates might be.
 */
export function keptXmp(packet: string, mode: Exclude<MetadataMode, 'strip'>): string | undefined {
  if (!packet.includes(END_OF_RDF) || Buffer.byteLength(packet) > MAX_XMP_BYTES) return undefined;
  const current = OUTDATED.reduce((kept, name) => without(kept, name), packet);
  if (mode === 'keep') return current;
  const placeless = without(current, 'exif:GPS\\w*');
  // The packet may use another prefix for the EXIF namespace, or the properties of a maker.
  return COORDINATES.test(placeless) ? undefined : placeless;
}

/**
 * Adds the IPTC digital source type to a packet, replacing an existing one.
 * @param code in the vocabulary http://cv.iptc.org/newscodes/digitalsourcetype/
 */
export function withSourceType(packet: string | undefined, code: string): string {
  const before = without(packet ?? EMPTY_XMP, '\\w+:DigitalSourceType');
  const at = before.lastIndexOf(END_OF_RDF);
  const description = `<rdf:Description rdf:about="" xmlns:Iptc4xmpExt="${IPTC_EXTENSION}"><Iptc4xmpExt:DigitalSourceType>http://cv.iptc.org/newscodes/digitalsourcetype/${code}</Iptc4xmpExt:DigitalSourceType></rdf:Description>`;
  return before.slice(0, at) + description + before.slice(at);
}

/** Removes a property, written as an attribute or as an element. */
function without(packet: string, name: string): string {
  return packet
    .replaceAll(new RegExp(`\\s${name}\\s*=\\s*("[^"]*"|'[^']*')`, 'g'), '')
    .replaceAll(new RegExp(`<(${name})(?:\\s[^>]*)?/>`, 'g'), '')
    .replaceAll(new RegExp(`<(${name})(?:\\s[^>]*)?>[^]*?</\\1\\s*>`, 'g'), '');
}
