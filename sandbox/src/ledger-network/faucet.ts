import { Account, Asset, Operation, TransactionBuilder, xdr } from '@stellar/stellar-sdk';
import { formatUnits } from '../domain/units.js';
import type { LandedTransaction } from '../store/records.js';
import type { SigningKey } from './keys.js';
import type { Network } from './network.js';
import { feeUnitsPerOperation } from './validity.js';

/** Funds accounts by ordinary transactions of the genesis accounts, which have hashes and are part of the history. */
export type Faucet = {
  /** Creates the account if it does not exist. */
  readonly native: (address: string, units: bigint) => LandedTransaction;
  readonly newAccount: (address: string, units: bigint) => LandedTransaction;
  readonly usdc: (address: string, units: bigint) => LandedTransaction;
};

const validSeconds = 30;

export function createFaucet(network: Network): Faucet {
  const { genesis, store } = network;
  const usdc = new Asset('USDC', genesis.issuer.address);
  const newAccount = (destination: string, units: bigint): LandedTransaction =>
    submitAs(network, genesis.faucet, Operation.createAccount({ destination, startingBalance: formatUnits(units) }));
  const pay = (payer: SigningKey, destination: string, asset: Asset, units: bigint): LandedTransaction =>
    submitAs(network, payer, Operation.payment({ destination, asset, amount: formatUnits(units) }));
  return {
    newAccount,
    native: (address, units) =>
      store.find('accounts', address) === undefined
        ? newAccount(address, units)
        : pay(genesis.faucet, address, Asset.native(), units),
    usdc: (address, units) => pay(genesis.issuer, address, usdc, units),
  };
}

/** Builds, signs and submits within one turn of the event loop, so that the sequence number is always the next one. */
function submitAs(network: Network, key: SigningKey, operation: xdr.Operation): LandedTransaction {
  const { sequence } = network.store.find('accounts', key.address) ?? { sequence: 0n };
  const now = Math.floor(network.clock.epochMs() / 1_000);
  const options = {
    fee: feeUnitsPerOperation.toString(),
    networkPassphrase: network.passphrase,
    timebounds: { minTime: 0, maxTime: now + validSeconds },
  };
  const transaction = new TransactionBuilder(new Account(key.address, sequence.toString()), options)
    .addOperation(operation)
    .build();
  transaction.signatures.push(new xdr.DecoratedSignature({ hint: key.hint, signature: key.sign(transaction.hash()) }));
  return network.submit(network.parse(transaction.toXDR()));
}
