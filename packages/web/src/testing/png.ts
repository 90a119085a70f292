/** PNG as far as screenshots go: eight bits, not interlaced; read in colour, written with a palette. */
import { crc32, deflateSync, inflateSync } from "node:zlib";

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Three bytes for each pixel. */
  readonly rgb: Uint8Array;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const channelsOf: Readonly<Record<number, number>> = { 2: 3, 3: 1, 6: 4 };

export function readPng(file: Buffer): Pixels {
  const chunks = chunksOf(file);
  const [header = Buffer.alloc(13)] = chunks.get("IHDR") ?? [];
  const [palette] = chunks.get("PLTE") ?? [];
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const channels = channelsOf[header[9] ?? 0];
  if (channels === undefined) throw new Error("this PNG is of a kind that screenshots are not");
  const bytes = unfiltered(inflateSync(Buffer.concat(chunks.get("IDAT") ?? [])), {
    height,
    channels,
    stride: width * channels,
  });
  const rgb = new Uint8Array(width * height * 3);
  const colours = palette ?? bytes;
  // A screenshot has a million pixels: nothing is allocated for one.
  for (let pixel = 0, to = 0; pixel < width * height; pixel += 1, to += 3) {
    const from = palette ? (bytes[pixel] ?? 0) * 3 : pixel * channels;
    rgb[to] = colours[from] ?? 0;
    rgb[to + 1] = colours[from + 1] ?? 0;
    rgb[to + 2] = colours[from + 2] ?? 0;
  }
  return { width, height, rgb };
}

function chunksOf(file: Buffer): ReadonlyMap<string, readonly Buffer[]> {
  const chunks = new Map<string, Buffer[]>();
  for (let at = signature.length; at < file.length; ) {
    const length = file.readUInt32BE(at);
    const type = file.toString("latin1", at + 4, at + 8);
    chunks.set(type, [...(chunks.get(type) ?? []), file.subarray(at + 8, at + 8 + length)]);
    at += 12 + length;
  }
  return chunks;
}

interface Layout {
  readonly height: number;
  readonly channels: number;
  readonly stride: number;
}

function unfiltered(raw: Buffer, { height, channels, stride }: Layout): Uint8Array {
  const bytes = new Uint8Array(height * stride);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x < channels ? 0 : (bytes[at - channels] ?? 0);
      const above = y === 0 ? 0 : (bytes[at - stride] ?? 0);
      const corner = x < channels || y === 0 ? 0 : (bytes[at - stride - channels] ?? 0);
      bytes[at] = (raw[at + y + 1] ?? 0) + predicted(filter, left, above, corner);
    }
  }
  return bytes;
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  const guess = left + above - corner;
  const toLeft = Math.abs(guess - left);
  const toAbove = Math.abs(guess - above);
  const toCorner = Math.abs(guess - corner);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

/** With the colours that occur most, one of each kind; every other one becomes the nearest of them. */
export function writePng({ width, height, rgb }: Pixels): Buffer {
  const colourAt = (pixel: number): number =>
    ((rgb[pixel * 3] ?? 0) << 16) | ((rgb[pixel * 3 + 1] ?? 0) << 8) | (rgb[pixel * 3 + 2] ?? 0);
  const counts = new Map<number, number>();
  for (let pixel = 0; pixel < width * height; pixel += 1)
    counts.set(colourAt(pixel), (counts.get(colourAt(pixel)) ?? 0) + 1);
  const byUse = [...counts].sort(([, one], [, other]) => other - one);
  const kinds = new Map<number, number>();
  for (const [colour] of byUse) {
    if (!kinds.has(kindOf(colour))) kinds.set(kindOf(colour), colour);
  }
  const palette = [...kinds.values()].slice(0, 256);
  const places = new Map(palette.map((colour, place) => [colour, place]));
  const rows = Buffer.alloc(height * (width + 1));
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const colour = colourAt(pixel);
    const place = places.get(colour) ?? nearest(palette, colour);
    places.set(colour, place);
    rows[pixel + Math.floor(pixel / width) + 1] = place;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.flatMap(channels))),
    chunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function channels(colour: number): readonly [number, number, number] {
  return [colour >> 16, (colour >> 8) & 255, colour & 255];
}

/** Colours that differ in their lowest bits alone are of one kind. */
function kindOf(colour: number): number {
  return colour & 0xf0f0f0;
}

function nearest(palette: readonly number[], colour: number): number {
  const wanted = channels(colour);
  const distances = palette.map((one) =>
    channels(one).reduce((sum, value, at) => sum + (value - (wanted[at] ?? 0)) ** 2, 0),
  );
  return distances.indexOf(Math.min(...distances));
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
