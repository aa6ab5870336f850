import { extractBaseAddress, StrKey } from '@stellar/stellar-sdk';
import { z } from 'zod';

/** Accounts, contracts, and accounts with an id of their owner inside (muxed). */
const named = /\b(?:[GC][A-Z2-7]{55}|M[A-Z2-7]{68})\b/g;

/** An address in a record; a muxed address becomes the account behind it. Claimable balances and pools have addresses, too. */
export const address = z
  .string()
  .regex(/^[A-Z2-7]{56,69}$/)
  .transform((text, issues) => {
    const account = accountOf(text);
    if (account === undefined) issues.addIssue({ code: 'custom', message: 'it is not an address' });
    return account ?? '';
  });

/** Every account and contract that a record contains anywhere. */
export function namedAddresses(record: unknown): readonly string[] {
  const found = JSON.stringify(record).match(named) ?? [];
  return [...new Set(found.flatMap((text) => accountOf(text) ?? []))];
}

function accountOf(text: string): string | undefined {
  if (!text.startsWith('M')) return text;
  try {
    return extractBaseAddress(text);
  } catch {
    return undefined;
  }
}

/** Whether the text is an account address with a valid checksum. */
export function isAccountAddress(text: string): boolean {
  return StrKey.isValidEd25519PublicKey(text);
}

export function isContractAddress(text: string): boolean {
  return StrKey.isValidContract(text);
}
