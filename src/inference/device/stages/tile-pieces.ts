import type { RenderStageRef } from '../../../models/manifest/model-route.js';
import { float32Tensor, type NamedTensors, type Tensor, uint8Tensor, zeros } from '../../tensor.js';
import { cutTile } from '../../tiling/cut-tile.js';
import { pasteTile } from '../../tiling/paste-tile.js';

type Geometry = Pick<RenderStageRef, 'tile' | 'halo' | 'scale'>;

/** Edge of the useful part of a piece, in source pixels. */
export function pieceTile({ tile }: Pick<Geometry, 'tile'>): number {
  return Math.ceil(tile / 2);
}

/** The origins of the pieces within the tile; those of an odd tile overlap by one pixel. */
function corners(geometry: Geometry): readonly { readonly x: number; readonly y: number }[] {
  const far = geometry.tile - pieceTile(geometry);
  return [
    { x: 0, y: 0 },
    { x: far, y: 0 },
    { x: 0, y: far },
    { x: far, y: far },
  ];
}

/**
 * Divides an item of a render stage into four with the same halo, for a device whose memory cannot hold the whole. The
 * graph sees the halo, so the joined pieces equal the undivided result.
 */
export function cutIntoPieces(geometry: Geometry, item: NamedTensors): readonly NamedTensors[] {
  const edge = geometry.tile + 2 * geometry.halo;
  const pieceEdge = pieceTile(geometry) + 2 * geometry.halo;
  const { dims, data } = item['image']!;
  const channels = dims.at(-1) as 3 | 4;
  const square = { data: data as Uint8Array, width: edge, height: edge, channels };
  return corners(geometry).map(({ x, y }) => {
    const image = uint8Tensor([1, pieceEdge, pieceEdge, channels], cutTile(square, x, y, pieceEdge));
    const { window } = item;
    if (window === undefined) return Object.assign({}, item, { image });
    return Object.assign({}, item, { image, window: pieceWindow(window, { x, y, pieceEdge, edge }) });
  });
}

/**
 * Joins the rendered pieces, in order. The halo of the result is not read, so it stays unset.
 */
export function joinPieces(geometry: Geometry, pieces: readonly Tensor[]): Tensor {
  const { halo, scale, tile } = geometry;
  const edge = (tile + 2 * halo) * scale;
  const channels = pieces[0]!.dims.at(-1) as 3 | 4;
  const whole = zeros('uint8', [1, edge, edge, channels]);
  const target = { data: whole.data as Uint8Array, width: edge, height: edge, channels };
  const size = pieceTile(geometry);
  corners(geometry).forEach(({ x, y }, index) => {
    const place = { x: x + halo, y: y + halo, width: size, height: size };
    pasteTile(target, pieces[index]!.data as Uint8Array, place, { edge: size + 2 * halo, halo, scale });
  });
  return whole;
}

function pieceWindow(
  window: Tensor,
  { x, y, pieceEdge, edge }: { x: number; y: number; pieceEdge: number; edge: number },
): Tensor {
  const [top, left, bottom, right] = window.data as unknown as [number, number, number, number];
  const at = (from: number, to: number, pixel: number) => from + ((to - from) * pixel) / edge;
  return float32Tensor(
    [1, 4],
    [at(top, bottom, y), at(left, right, x), at(top, bottom, y + pieceEdge), at(left, right, x + pieceEdge)],
  );
}
