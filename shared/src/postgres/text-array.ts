import { createMessageBuffer, nullLength, writeInt32, writeSized, writtenIn } from './message-buffer.js';

const textType = 25;
const [headerBytes, lengthBytes] = [20, 4];
/** The last text asks for more room than it takes. */
const spareBytes = 256;

/**
 * A value for a parameter of type `text[]`, in the form in which the server keeps it. An array literal, which the driver makes of an array, is
 * put between quotes here and read character by character there; for hundreds of long texts that costs more than to insert them.
 * For parameters of other types the statement takes it as `text[]` and casts what is in it.
 */
export function textArray(values: readonly (string | null)[]): Buffer {
  const buffer = createMessageBuffer(headerBytes + spareBytes + sizeOf(values));
  const dimensions = values.length === 0 ? 0 : 1;
  writeInt32(buffer, dimensions);
  writeInt32(buffer, values.includes(null) ? 1 : 0);
  writeInt32(buffer, textType);
  if (dimensions === 1) {
    writeInt32(buffer, values.length);
    writeInt32(buffer, 1); // where its numbers begin
  }
  for (const value of values) {
    if (value === null) writeInt32(buffer, nullLength);
    else writeSized(buffer, value);
  }
  return writtenIn(buffer);
}

/** Of what is ASCII; the buffer grows where it is not. */
function sizeOf(values: readonly (string | null)[]): number {
  return values.reduce((size, value) => size + lengthBytes + (value?.length ?? 0), 0);
}
