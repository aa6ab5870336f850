import { Address, StrKey, xdr } from '@stellar/stellar-sdk';

/** The SDK's class converts an address from and to text several times, to check itself. One conversion checks it as well. */
export function scAddress(text: string): xdr.ScAddress {
  switch (text[0]) {
    case 'C':
      // eslint-disable-next-line holdfast/no-type-assertion -- the SDK declares a list of bytes; its values are buffers
      return xdr.ScAddress.scAddressTypeContract(StrKey.decodeContract(text) as unknown as xdr.Hash);
    case 'G':
      return xdr.ScAddress.scAddressTypeAccount(xdr.PublicKey.publicKeyTypeEd25519(StrKey.decodeEd25519PublicKey(text)));
    default:
      return new Address(text).toScAddress();
  }
}

/** Accounts are G…, contracts C…, muxed accounts M…; so a muxed address never equals the account behind it. */
export function addressText(address: xdr.ScAddress): string {
  const bytes: unknown = address.switch().name === 'scAddressTypeContract' ? address.contractId() : undefined;
  if (Buffer.isBuffer(bytes)) return StrKey.encodeContract(bytes);
  return address.switch().name === 'scAddressTypeAccount'
    ? StrKey.encodeEd25519PublicKey(address.accountId().ed25519())
    : Address.fromScAddress(address).toString();
}
