import { StrKey } from '@stellar/stellar-sdk';
import { z } from 'zod';
import { parseUnits, unitsOfNumber } from '../domain/units.js';

export const accountAddress = z
  .string()
  .refine((text) => StrKey.isValidEd25519PublicKey(text), 'must be the address of an account');

export const contractAddress = z.string().refine((text) => StrKey.isValidContract(text), 'must be the address of a contract');

/** Parses an amount to units; zero is one, too. */
export function amountIn(shape: z.ZodType<number | string>) {
  return unitsIn(shape, 0n, 'must be an amount with at most seven decimals');
}

export function positiveAmountIn(shape: z.ZodType<number | string>) {
  return unitsIn(shape, 1n, 'must be an amount above zero');
}

function unitsIn(shape: z.ZodType<number | string>, unitsMin: bigint, message: string) {
  return shape.transform((value, context) => {
    const units = typeof value === 'number' ? unitsOfNumber(value) : parseUnits(value);
    if (units !== undefined && units >= unitsMin) return units;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
}

/** What is wrong with a body or query, field by field. */
export function faultsOf({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
}
