import { prepareValue } from './driver-connection.js';

/** Messages to the server, one after the other in one piece of memory that grows with them. */
export type MessageBuffer = { bytes: Buffer; length: number };

const firstSize = 1_024;

export function createMessageBuffer(size = firstSize): MessageBuffer {
  return { bytes: Buffer.allocUnsafe(size), length: 0 };
}

export function writtenIn({ bytes, length }: MessageBuffer): Buffer {
  return bytes.subarray(0, length);
}

const [bindCode, closeCode, parseCode] = [0x42, 0x43, 0x50];
const [textFormat, binaryFormat] = [0, 1];
/** What stands in place of the number of bytes where there is no value. */
export const nullLength = -1;

export function writeParse(buffer: MessageBuffer, name: string, text: string): void {
  const begin = beginMessage(buffer, parseCode);
  writeEnded(buffer, name);
  writeEnded(buffer, text);
  writeInt16(buffer, 0); // the server finds out the types of the values
  endMessage(buffer, begin);
}

/** Throws at a value that the driver cannot write; what is in the buffer then ends in the middle of a message. */
export function writeBind(buffer: MessageBuffer, name: string, values: readonly unknown[]): void {
  const begin = beginMessage(buffer, bindCode);
  writeEnded(buffer, ''); // the portal without a name
  writeEnded(buffer, name);
  writeInt16(buffer, values.length);
  const formats = writeTextFormats(buffer, values.length);
  writeInt16(buffer, values.length);
  for (let index = 0; index < values.length; index += 1) {
    const isBinary = writeValue(buffer, values[index]);
    if (isBinary) buffer.bytes[formats + 2 * index + 1] = binaryFormat;
  }
  writeInt16(buffer, 1); // one format for all columns of the answer
  writeInt16(buffer, textFormat);
  endMessage(buffer, begin);
}

export function writeClose(buffer: MessageBuffer, name: string): void {
  const begin = beginMessage(buffer, closeCode);
  writeEnded(buffer, `S${name}`);
  endMessage(buffer, begin);
}

/** Of the portal without a name. */
export function writeDescribe(buffer: MessageBuffer): void {
  append(buffer, describeMessage);
}

/** All rows of the portal without a name. */
export function writeExecute(buffer: MessageBuffer): void {
  append(buffer, executeMessage);
}

export function writeSync(buffer: MessageBuffer): void {
  append(buffer, syncMessage);
}

const describeMessage = Buffer.from('D\0\0\0\u0006P\0', 'latin1');
const executeMessage = Buffer.from('E\0\0\0\u0009\0\0\0\0\0', 'latin1');
const syncMessage = Buffer.from('S\0\0\0\u0004', 'latin1');

const headerBytes = 5;

function beginMessage(buffer: MessageBuffer, code: number): number {
  reserve(buffer, headerBytes);
  const begin = buffer.length;
  buffer.bytes[begin] = code;
  buffer.length += headerBytes;
  return begin;
}

/** The length counts itself, and not the code before it. */
function endMessage(buffer: MessageBuffer, begin: number): void {
  setInt32(buffer.bytes, begin + 1, buffer.length - begin - 1);
}

/** Gives back where they begin. */
function writeTextFormats(buffer: MessageBuffer, count: number): number {
  const begin = buffer.length;
  reserve(buffer, 2 * count);
  buffer.length += 2 * count;
  buffer.bytes.fill(0, begin, buffer.length);
  return begin;
}

/** True of a value that was not written as text. */
function writeValue(buffer: MessageBuffer, value: unknown): boolean {
  const prepared = typeof value === 'string' ? value : (prepareValue(value) ?? null);
  if (typeof prepared === 'string') {
    writeSized(buffer, prepared);
    return false;
  }
  writeInt32(buffer, prepared === null ? nullLength : prepared.length);
  if (prepared !== null) append(buffer, prepared);
  return prepared !== null;
}

/** A text behind the number of its bytes. */
export function writeSized(buffer: MessageBuffer, text: string): void {
  const begin = buffer.length;
  writeInt32(buffer, 0);
  writeText(buffer, text);
  setInt32(buffer.bytes, begin, buffer.length - begin - 4);
}

function writeEnded(buffer: MessageBuffer, text: string): void {
  writeText(buffer, text);
  reserve(buffer, 1);
  buffer.bytes[buffer.length] = 0;
  buffer.length += 1;
}

/** Up to this many characters a loop is faster than a call into the engine. */
const shortMax = 64;
const asciiMax = 0x7f;
const bytesPerCharacterMax = 3;

function writeText(buffer: MessageBuffer, text: string): void {
  const isLong = text.length > shortMax;
  reserve(buffer, isLong ? Buffer.byteLength(text) : text.length * bytesPerCharacterMax);
  if (!isLong && writeAscii(buffer, text)) return;
  buffer.length += buffer.bytes.write(text, buffer.length);
}

/** False, and nothing written that counts, where there is anything but ASCII. */
function writeAscii(buffer: MessageBuffer, text: string): boolean {
  const { bytes, length } = buffer;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (character > asciiMax) return false;
    bytes[length + index] = character;
  }
  buffer.length = length + text.length;
  return true;
}

function append(buffer: MessageBuffer, bytes: Buffer): void {
  reserve(buffer, bytes.length);
  buffer.bytes.set(bytes, buffer.length);
  buffer.length += bytes.length;
}

function writeInt16(buffer: MessageBuffer, value: number): void {
  reserve(buffer, 2);
  buffer.bytes[buffer.length] = value >>> 8;
  buffer.bytes[buffer.length + 1] = value;
  buffer.length += 2;
}

export function writeInt32(buffer: MessageBuffer, value: number): void {
  reserve(buffer, 4);
  setInt32(buffer.bytes, buffer.length, value);
  buffer.length += 4;
}

function setInt32(bytes: Buffer, at: number, value: number): void {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
}

function reserve(buffer: MessageBuffer, size: number): void {
  if (buffer.bytes.length - buffer.length >= size) return;
  const larger = Buffer.allocUnsafe(2 * buffer.bytes.length + size);
  larger.set(writtenIn(buffer));
  buffer.bytes = larger;
}
