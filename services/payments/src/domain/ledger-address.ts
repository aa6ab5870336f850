const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** 35 bytes in base32. */
const length = 56;
/** The version byte of a public key; contracts and secret keys have others. */
const publicKeyVersion = 6 << 3;

/** Whether a text is a public key of the ledger network: version byte, 32 bytes and their CRC16 checksum, in base32. */
export function isLedgerAddress(text: string): boolean {
  const bytes = text.length === length ? decodeBase32(text) : undefined;
  if (bytes?.[0] !== publicKeyVersion) return false;
  const checksum = (bytes[33] ?? 0) | ((bytes[34] ?? 0) << 8);
  return checksum === crc16(bytes.slice(0, 33));
}

function decodeBase32(text: string): readonly number[] | undefined {
  const bytes: number[] = [];
  let buffer = 0;
  let bits = 0;
  for (const character of text) {
    const value = alphabet.indexOf(character);
    if (value < 0) return undefined;
    buffer = ((buffer << 5) | value) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((buffer >> bits) & 0xff);
    }
  }
  return bytes;
}

/** CRC16-XModem. */
function crc16(bytes: readonly number[]): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000) === 0 ? (crc << 1) & 0xffff : ((crc << 1) ^ 0x1021) & 0xffff;
  }
  return crc;
}
