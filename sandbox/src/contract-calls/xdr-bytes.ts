/** A string with one character for each byte (latin1). Such strings are much faster to join and compare than buffers. */
export type ByteText = string;

/** XDR is the network's binary encoding: big-endian numbers, everything else padded to multiples of four bytes. */
const unitBytes = 4;

export function uint32(value: number): ByteText {
  return String.fromCharCode(value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff);
}

const halfBits = 32n;

/** For times and sequence numbers, which are never negative. */
export function uint64(value: bigint): ByteText {
  return uint32(Number(value >> halfBits)) + uint32(Number(BigInt.asUintN(Number(halfBits), value)));
}

/** Variable-length bytes with their length before them. */
export function opaque(bytes: ByteText): ByteText {
  const filledLength = Math.ceil(bytes.length / unitBytes) * unitBytes;
  return uint32(bytes.length) + bytes.padEnd(filledLength, '\0');
}

export function list(items: readonly ByteText[]): ByteText {
  return uint32(items.length) + items.join('');
}

/** A text with as many bytes as characters is ASCII and needs no conversion. */
export function utf8(text: string): ByteText {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');
}
