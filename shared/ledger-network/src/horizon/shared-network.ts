import { Networks } from '@stellar/stellar-sdk';

const sharedNetworks: readonly string[] = [Networks.PUBLIC, Networks.TESTNET, Networks.FUTURENET];

/** Whether the network is shared with strangers: the public one or a test network, not a sandbox or a local network. */
export function isSharedNetwork(passphrase: string): boolean {
  return sharedNetworks.includes(passphrase);
}
