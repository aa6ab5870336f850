import { Address, type xdr } from '@stellar/stellar-sdk';

/** Accounts are G…, contracts C…, muxed accounts M…; so a muxed address never equals the account behind it. */
export function addressText(address: xdr.ScAddress): string {
  return Address.fromScAddress(address).toString();
}
