import { Address, StrKey, xdr } from '@stellar/stellar-sdk';

/**
 * Accounts are G…, contracts C…, muxed accounts M…; so a muxed address never equals the account behind it. The two frequent kinds are encoded
 * here: the SDK's `Address` encodes them, tries to decode the text as each kind, and encodes it again (decision 126).
 */
export function addressText(address: xdr.ScAddress): string {
  const key: unknown = address.value();
  if (address.switch() === xdr.ScAddressType.scAddressTypeContract() && Buffer.isBuffer(key)) return StrKey.encodeContract(key);
  if (address.switch() === xdr.ScAddressType.scAddressTypeAccount())
    return StrKey.encodeEd25519PublicKey(address.accountId().ed25519());
  return Address.fromScAddress(address).toString();
}
