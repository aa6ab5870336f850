import { z } from 'zod';

/** A type of the network's binary format, as the SDK has it. */
type XdrType<Value> = { readonly fromXDR: (text: string, format: 'base64') => Value };

/** XDR in base64, decoded. */
export function xdrOf<Value>(type: XdrType<Value>) {
  return z.string().transform((text) => type.fromXDR(text, 'base64'));
}

export const ledgerNumber = z.number().int().positive();
