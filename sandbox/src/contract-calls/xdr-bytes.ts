/** XDR is the network's binary form: numbers with the high byte first, everything else filled up to multiples of four bytes. */
const unitBytes = 4;

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(unitBytes);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Times and sequence numbers, none of which is negative. */
export function uint64(value: bigint): Buffer {
  const bytes = Buffer.alloc(2 * unitBytes);
  bytes.writeBigUInt64BE(value);
  return bytes;
}

/** Any number of bytes, and before them how many there are. */
export function opaque(bytes: Buffer): Buffer {
  return Buffer.concat([uint32(bytes.length), bytes], unitBytes + Math.ceil(bytes.length / unitBytes) * unitBytes);
}

export function list(items: readonly Buffer[]): Buffer {
  return Buffer.concat([uint32(items.length), ...items]);
}
