import { StrKey } from '@stellar/stellar-sdk';

/** The valid address in a text, or undefined. */
export function addressIn(text: string, kind: 'account' | 'contract'): string | undefined {
  const isValid = kind === 'contract' ? StrKey.isValidContract(text) : StrKey.isValidEd25519PublicKey(text);
  return isValid ? text : undefined;
}
