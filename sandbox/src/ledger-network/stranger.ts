import { randomBytes } from 'node:crypto';
import { Asset, Claimant, Operation, type xdr } from '@stellar/stellar-sdk';
import type { Invocation } from '../contract-calls/contract-call.js';
import * as wire from '../contract-calls/wire-values.js';
import { formatUnits, unitsPerWhole } from '../domain/units.js';
import type { LandedTransaction } from '../store/records.js';
import { authorizedOperation, resourceData, resourceFee } from './call-resources.js';
import type { Faucet } from './faucet.js';
import { signingKey } from './keys.js';
import type { Network } from './network.js';
import { submitAs } from './submit-as.js';

export const strangerOperations = [
  'payment',
  'path_payment_strict_send',
  'path_payment_strict_receive',
  'account_merge',
  'create_claimable_balance',
  'clawback',
  'contract_transfer',
  'contract_mint',
  'contract_burn',
  'contract_clawback',
] as const;
export type StrangerOperation = {
  readonly type: (typeof strangerOperations)[number];
  /** The account that gets the amount, or loses it by a clawback. It may be a muxed account or a contract, if the operation accepts one. */
  readonly address: string;
  readonly asset: 'XLM' | 'USDC';
  readonly units: bigint;
};

/** Lands a stranger's operation. Only the issuer can mint and claw back. */
export type Stranger = (operation: StrangerOperation) => LandedTransaction;

const spareUnits = 100n * unitsPerWhole;

export function createStranger(network: Network, faucet: Faucet): Stranger {
  const { genesis, store } = network;
  const { stranger, issuer } = genesis;
  const usdc = new Asset('USDC', issuer.address);

  /** Gives the stranger what the operation needs. The spare amount is for fees and reserves. */
  const provide = (asset: StrangerOperation['asset'], units: bigint): void => {
    const isNew = store.find('accounts', stranger.address) === undefined;
    faucet.native(stranger.address, spareUnits + (asset === 'XLM' ? units : 0n));
    if (isNew) submitAs(network, { signers: [stranger], operations: [Operation.changeTrust({ asset: usdc })] });
    if (asset === 'USDC') faucet.usdc(stranger.address, units);
  };

  return (operation) => {
    const { type, asset, units } = operation;
    const token = asset === 'XLM' ? Asset.native() : usdc;
    const isExchange = type === 'path_payment_strict_send' || type === 'path_payment_strict_receive';
    const otherAsset = asset === 'XLM' ? 'USDC' : 'XLM';
    provide(isExchange ? otherAsset : asset, units);
    if (type === 'account_merge') return merge(network, operation);
    const call = callOf(operation, stranger.address);
    if (call !== undefined) return submitCall(network, type, { ...call, contractId: token.contractId(network.passphrase) });
    const signer = type === 'clawback' ? issuer : stranger;
    return submitAs(network, { signers: [signer], operations: [classicOperation(operation, token, usdc)] });
  };
}

/** An account that exists for one transaction, so that exactly the amount arrives. */
function merge(network: Network, { address, units }: StrangerOperation): LandedTransaction {
  const { stranger } = network.genesis;
  const merged = signingKey(randomBytes(32));
  return submitAs(network, {
    signers: [stranger, merged],
    operations: [
      Operation.createAccount({ destination: merged.address, startingBalance: formatUnits(units) }),
      Operation.accountMerge({ destination: address, source: merged.address }),
    ],
  });
}

function classicOperation({ type, address, units }: StrangerOperation, asset: Asset, usdc: Asset): xdr.Operation {
  const amount = formatUnits(units);
  const exchange = { destination: address, destAsset: asset, sendAsset: asset.isNative() ? usdc : Asset.native() };
  switch (type) {
    case 'path_payment_strict_send':
      return Operation.pathPaymentStrictSend({ ...exchange, sendAmount: amount, destMin: amount });
    case 'path_payment_strict_receive':
      return Operation.pathPaymentStrictReceive({ ...exchange, destAmount: amount, sendMax: amount });
    case 'create_claimable_balance':
      return Operation.createClaimableBalance({ asset, amount, claimants: [new Claimant(address)] });
    case 'clawback':
      return Operation.clawback({ asset, amount, from: address });
    default:
      return Operation.payment({ destination: address, asset, amount });
  }
}

type Call = Omit<Invocation, 'contractId'>;

/** Undefined for operations that do not call the token's contract. */
function callOf({ type, address, units }: StrangerOperation, stranger: string): Call | undefined {
  const amount = wire.i128(units);
  switch (type) {
    case 'contract_transfer':
      return { functionName: 'transfer', arguments: [wire.address(stranger), wire.address(address), amount] };
    case 'contract_mint':
      return { functionName: 'mint', arguments: [wire.address(address), amount] };
    case 'contract_burn':
      return { functionName: 'burn', arguments: [wire.address(stranger), amount] };
    case 'contract_clawback':
      return { functionName: 'clawback', arguments: [wire.address(address), amount] };
    default:
      return undefined;
  }
}

const noEntries = { readOnly: [], readWrite: [], archived: [] };

function submitCall(network: Network, type: StrangerOperation['type'], call: Invocation): LandedTransaction {
  const isIssuers = type === 'contract_mint' || type === 'contract_clawback';
  const signer = isIssuers ? network.genesis.issuer : network.genesis.stranger;
  const resources = resourceData(noEntries, resourceFee(noEntries));
  return submitAs(network, { signers: [signer], operations: [authorizedOperation(call)], resources });
}
