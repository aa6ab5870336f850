import { Asset, Operation } from '@stellar/stellar-sdk';
import { formatUnits } from '../domain/units.js';
import type { LandedTransaction } from '../store/records.js';
import type { SigningKey } from './keys.js';
import type { Network } from './network.js';
import { submitAs } from './submit-as.js';

/** Funds accounts by ordinary transactions of the genesis accounts, which have hashes and are part of the history. */
export type Faucet = {
  /** Creates the account if it does not exist. */
  readonly native: (address: string, units: bigint) => LandedTransaction;
  readonly newAccount: (address: string, units: bigint) => LandedTransaction;
  readonly usdc: (address: string, units: bigint) => LandedTransaction;
};

export function createFaucet(network: Network): Faucet {
  const { genesis, store } = network;
  const usdc = new Asset('USDC', genesis.issuer.address);
  const newAccount = (destination: string, units: bigint): LandedTransaction =>
    submitAs(network, {
      signers: [genesis.faucet],
      operations: [Operation.createAccount({ destination, startingBalance: formatUnits(units) })],
    });
  const pay = (payer: SigningKey, destination: string, asset: Asset, units: bigint): LandedTransaction =>
    submitAs(network, {
      signers: [payer],
      operations: [Operation.payment({ destination, asset, amount: formatUnits(units) })],
    });
  return {
    newAccount,
    native: (address, units) =>
      store.find('accounts', address) === undefined
        ? newAccount(address, units)
        : pay(genesis.faucet, address, Asset.native(), units),
    usdc: (address, units) => pay(genesis.issuer, address, usdc, units),
  };
}
