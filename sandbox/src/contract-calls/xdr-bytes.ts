/** A text with one character for each byte. Such texts are joined and compared at a fraction of what buffers take. */
export type ByteText = string;

/** XDR is the network's binary form: numbers with the high byte first, everything else filled up to multiples of four bytes. */
const unitBytes = 4;

export function uint32(value: number): ByteText {
  return String.fromCharCode(value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff);
}

const halfBits = 32n;

/** Times and sequence numbers, none of which is negative. */
export function uint64(value: bigint): ByteText {
  return uint32(Number(value >> halfBits)) + uint32(Number(BigInt.asUintN(Number(halfBits), value)));
}

/** Any number of bytes, and before them how many there are. */
export function opaque(bytes: ByteText): ByteText {
  const filledLength = Math.ceil(bytes.length / unitBytes) * unitBytes;
  return uint32(bytes.length) + bytes.padEnd(filledLength, '\0');
}

export function list(items: readonly ByteText[]): ByteText {
  return uint32(items.length) + items.join('');
}

/** What is as long in bytes as in letters is plain ASCII, and stands for itself. */
export function utf8(text: string): ByteText {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');
}
