import { Address, StrKey, xdr } from '@stellar/stellar-sdk';

const { PublicKey, ScAddress, ScAddressType } = xdr;

// The SDK's `Address` tries one kind after the other, and decodes and encodes the text several times. Decision 126 has the numbers.

export function addressText(address: xdr.ScAddress): string {
  const key: unknown = address.value();
  if (address.switch() === ScAddressType.scAddressTypeContract() && Buffer.isBuffer(key)) return StrKey.encodeContract(key);
  if (address.switch() === ScAddressType.scAddressTypeAccount())
    return StrKey.encodeEd25519PublicKey(address.accountId().ed25519());
  return Address.fromScAddress(address).toString();
}

/** Throws if the text is not an address. */
export function scAddress(text: string): xdr.ScAddress {
  const kind = text.length === keyTextLength ? text[0] : undefined;
  // The SDK's types do not take the key of a contract as the buffer that it is, so it is read from its bytes.
  if (kind === 'C') return ScAddress.fromXDR(Buffer.concat([contractPrefix, StrKey.decodeContract(text)]));
  if (kind === 'G') return ScAddress.scAddressTypeAccount(accountIdOf(text));
  return new Address(text).toScAddress();
}

/** Throws if the text is not the address of an account. */
export function accountIdOf(text: string): xdr.AccountId {
  return PublicKey.publicKeyTypeEd25519(StrKey.decodeEd25519PublicKey(text));
}

/** The length of the text for a key of 32 bytes. */
const keyTextLength = 56;
const contractPrefix = Buffer.from([0, 0, 0, ScAddressType.scAddressTypeContract().value]);
