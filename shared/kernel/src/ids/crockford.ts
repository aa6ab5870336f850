const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** 128 bits as 26 characters of Crockford's base 32, most significant first: the text form of a ULID. See ADR 0002. */
export function encodeCrockford(bytes: Uint8Array): string {
  if (bytes.length !== 16) throw new RangeError('a ULID has 16 bytes');
  let text = '';
  let carried = 0;
  let carriedBits = 2; // 26 characters are 130 bits, so the text starts with two zero bits.
  for (const byte of bytes) {
    carried = (carried << 8) | byte;
    carriedBits += 8;
    while (carriedBits >= 5) {
      carriedBits -= 5;
      text += alphabet.charAt((carried >> carriedBits) & 31);
    }
    carried &= (1 << carriedBits) - 1;
  }
  return text;
}

/** The number that the characters stand for. Undefined for other characters. */
export function decodeCrockfordNumber(text: string): number | undefined {
  const digits = Array.from(text, (character) => alphabet.indexOf(character));
  return digits.includes(-1) ? undefined : digits.reduce((number, digit) => number * alphabet.length + digit, 0);
}
