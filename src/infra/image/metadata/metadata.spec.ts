import { describe, expect, it } from 'vitest';
import { libvips } from '../codec/libvips.js';
import { checkedMetadata } from './check-metadata.js';
import { exifFields } from './exif-fields.js';
import { iptcBlock, withIptc } from './iptc.js';
import { keptMetadata } from './kept-metadata.js';
import { keptXmp, withSourceType } from './xmp.js';

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const packetOf = (attributes: string, elements = ''): string =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="${RDF}"><rdf:Description rdf:about="" ${attributes}>${elements}</rdf:Description></rdf:RDF></x:xmpmeta>`;

const EXIF = {
  IFD0: { Make: 'Acme', Copyright: 'Ada (all rights) ()' },
  IFD2: { ExposureTime: '1/125', ISOSpeedRatings: '400', LensSpecification: '24/1 70/1 28/10 28/10' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' },
};

const photo = async (xmp = packetOf('dc:title="Sea"')): Promise<Buffer> =>
  libvips()({ create: { width: 16, height: 12, channels: 3, background: '#886644' } })
    .withExif(EXIF)
    .withXmp(xmp)
    .jpeg()
    .toBuffer();

describe('keptMetadata', () => {
  it('keeps the description of the photo', async () => {
    const { exif, xmp } = await keptMetadata(await photo(), { mode: 'keep' });
    expect(exif).toMatchObject({
      ...EXIF,
      IFD0: { Make: 'Acme', Copyright: 'Ada (all rights)' },
    });
    expect(xmp).toContain('dc:title="Sea"');
  });

  it('keeps no number of pixels per length of the sensor', async () => {
    const fields = { FocalPlaneXResolution: '8000/1', FocalPlaneYResolution: '8000/1', FocalLength: '50/1' };
    const file = await libvips()(await photo())
      .withExif({ IFD2: { ...fields, FocalPlaneResolutionUnit: '3' } })
      .toBuffer();
    const { exif } = await keptMetadata(file, { mode: 'keep' });
    expect(exif.IFD2).toEqual({ FocalLength: '50/1' });
  });

  it('keeps no coordinates on request', async () => {
    const packet = packetOf(
      'exif:GPSLatitude="51,30N" dc:title="Sea"',
      '<exif:GPSLongitude>1W</exif:GPSLongitude>',
    );
    const kept = await keptMetadata(await photo(packet), { mode: 'keep-no-gps' });
    expect(Object.keys(kept.exif)).toEqual(['IFD0', 'IFD2']);
    expect(kept.xmp).toContain('dc:title="Sea"');
    expect(JSON.stringify(kept)).not.toMatch(/GPS|51,30|1W/);
  });

  it('keeps an altitude, but none below sea level, whose sign cannot be written', async () => {
    const file = await libvips()(await photo())
      .withExif({ IFD3: { GPSAltitude: '400/1', GPSAltitudeRef: '0', GPSLatitudeRef: 'N' } })
      .toBuffer();
    const gpsOf = async (bytes: Buffer) => (await keptMetadata(bytes, { mode: 'keep' })).exif.IFD3;
    expect(await gpsOf(file)).toMatchObject({ GPSAltitude: '400/1', GPSLatitudeRef: 'N' });
    // The entry: tag 5, one byte.
    const at = file.indexOf(Buffer.from('0500010001000000', 'hex'));
    expect(at).toBeGreaterThan(0);
    file[at + 8] = 1;
    expect(await gpsOf(file)).toEqual({ GPSLatitudeRef: 'N' });
  });

  it('can be passed between processes as checked JSON', async () => {
    const kept = await keptMetadata(await photo(), { mode: 'keep', sourceType: 'algorithmicallyEnhanced' });
    expect(checkedMetadata(JSON.stringify(kept))).toEqual(kept);
    expect(checkedMetadata('{"exif":{"IFD0":{"Make":7,"Evil":"x"},"IFD9":{"Make":"x"}}}')).toEqual({
      exif: {},
    });
    expect(checkedMetadata('{"xmp":7}')).toBeUndefined();
    expect(checkedMetadata('no JSON')).toBeUndefined();
    expect(checkedMetadata('null')).toEqual({ exif: {} });
  });
});

describe('exifFields', () => {
  it('tolerates damaged blocks', async () => {
    const { exif } = await libvips()(await photo()).metadata();
    for (let length = 0; length < exif!.length; length += 3)
      expect(() => exifFields(exif!.subarray(0, length))).not.toThrow();
    for (let at = 0; at < exif!.length; at++) {
      const damaged = Buffer.from(exif!);
      damaged[at] = 0xff;
      expect(() => exifFields(damaged)).not.toThrow();
    }
  });
});

describe('keptXmp', () => {
  it('drops orientation and thumbnails', () => {
    const packet = packetOf(
      'tiff:Orientation="6"',
      '<xmp:Thumbnails><rdf:Alt/></xmp:Thumbnails><dc:rights>me</dc:rights>',
    );
    expect(keptXmp(packet, 'keep')).toBe(packetOf('', '<dc:rights>me</dc:rights>').replace('" >', '">'));
  });

  it('drops sizes, resolutions, color spaces, thumbnails and other images, as attributes and as elements', () => {
    const properties: readonly (readonly [string, string])[] = [
      ['tiff:ImageWidth', '4000'],
      ['tiff:ImageLength', '3000'],
      ['exif:PixelXDimension', '4000'],
      ['exif:PixelYDimension', '3000'],
      ['tiff:XResolution', '300/1'],
      ['tiff:YResolution', '300/1'],
      ['tiff:ResolutionUnit', '2'],
      ['exif:FocalPlaneXResolution', '8000/1'],
      ['exif:FocalPlaneResolutionUnit', '3'],
      ['exif:ColorSpace', '65535'],
      ['photoshop:ICCProfile', 'Display P3'],
      ['xmpNote:HasExtendedXMP', '1A2B3C4D5E6F708192A3B4C5D6E7F809'],
      ['xap:Thumbnails', '<rdf:Alt><rdf:li><xapGImg:image>/9j/4AAQ</xapGImg:image></rdf:li></rdf:Alt>'],
      ['hdrgm:GainMapMax', '1.5'],
      ['Container:Directory', '<rdf:Seq><rdf:li Item:Semantic="GainMap"/></rdf:Seq>'],
      ['GContainer:Directory', '<rdf:Seq/>'],
      ['GCamera:MotionPhotoVersion', '1'],
      ['GCamera:MicroVideoOffset', '90210'],
    ];
    const elements = properties.map(([name, value]) => `<${name}>${value}</${name}>`).join('');
    const rights = '<dc:rights>me</dc:rights>';
    expect(keptXmp(packetOf('', elements + rights), 'keep')).toBe(packetOf('', rights));
    const attributes = properties.map(([name]) => `${name}="1"`).join(' ');
    expect(keptXmp(packetOf(`${attributes} dc:title="Sea"`), 'keep')).toBe(packetOf('dc:title="Sea"'));
  });

  it.each([
    'drone-skydio:Latitude="51.5" drone-skydio:Longitude="-0.1"',
    'drone-dji:GpsLatitude="+51.5" drone-dji:GpsLongtitude="-0.1"',
    'xmlns:geo="http://www.w3.org/2003/01/geo/wgs84_pos#" geo:lat="51.5" geo:long="-0.1"',
    'xmlns:p="http://www.georss.org/georss" p:point="51.5 -0.1"',
  ])('keeps no coordinates of others: %s', (attributes) => {
    expect(keptXmp(packetOf(attributes), 'keep-no-gps')).toBeUndefined();
    expect(keptXmp(packetOf(attributes), 'keep')).toBe(packetOf(attributes));
  });

  it('keeps place names', () => {
    const packet = packetOf('photoshop:City="London"', '<Iptc4xmpExt:LocationCreated/>');
    expect(keptXmp(packet, 'keep-no-gps')).toBe(packet);
  });

  it('drops a packet with coordinates that it cannot find, too many bytes, or no RDF', () => {
    expect(keptXmp(packetOf('e:GPSLatitude="1"'), 'keep-no-gps')).toBeUndefined();
    expect(keptXmp(packetOf(`a="${'x'.repeat(60_000)}"`), 'keep')).toBeUndefined();
    expect(keptXmp('<html/>', 'keep')).toBeUndefined();
  });
});

describe('withSourceType', () => {
  const VALUE = 'http://cv.iptc.org/newscodes/digitalsourcetype/composite';

  it('creates a packet, or replaces the type in an existing one', () => {
    expect(withSourceType(undefined, 'composite')).toContain(`DigitalSourceType>${VALUE}</`);
    const before = packetOf('Iptc4xmpExt:DigitalSourceType="http://old" dc:title="Sea"');
    const after = withSourceType(before, 'composite');
    expect(after).not.toContain('http://old');
    expect(after).toContain('dc:title="Sea"');
    expect(after.match(/DigitalSourceType>/g)).toHaveLength(2);
  });
});

describe('IPTC', () => {
  const resource = (id: number, data: Buffer): Buffer => {
    const head = Buffer.from([0x38, 0x42, 0x49, 0x4d, id >> 8, id & 0xff, 0, 0, 0, 0, 0, data.length]);
    return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
  };
  const block = Buffer.concat([
    Buffer.from('Photoshop 3.0\0'),
    resource(0x04_0c, Buffer.from('thumbnail')),
    resource(0x04_04, Buffer.from('\u001c\u0002\u0050\0\u0003Ada')),
  ]);

  it('keeps only the IPTC part, which can be added to a JPEG', async () => {
    const taken = iptcBlock(block)!;
    expect(taken.includes('thumbnail')).toBe(false);
    const { iptc, width } = await libvips()(withIptc(await photo(), taken)).metadata();
    expect(iptc).toEqual(taken);
    expect(width).toBe(16);
  });

  it('ignores truncated blocks', () => {
    for (let length = 0; length < block.length; length++)
      expect(iptcBlock(block.subarray(0, length))).toBeUndefined();
  });
});
