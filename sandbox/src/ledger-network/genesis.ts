import { createHash } from 'node:crypto';
import { Asset, StrKey } from '@stellar/stellar-sdk';
import type { ContractVersion } from '../contract-calls/contract-versions.js';
import { contractWasm } from '../contract-calls/contract-wasm.js';
import { newAccount, unitsMax, type Account } from '../domain/account.js';
import { assetKey, nativeAsset, type AssetKey } from '../domain/assets.js';
import type { EscrowType } from '../domain/escrow.js';
import { unitsPerWhole } from '../domain/units.js';
import { signingKey, type SigningKey } from './keys.js';

/** A contract that deploys escrow contracts of its own code. */
export type Factory = { readonly factory: string; readonly wasmHash: string; readonly wasm: Buffer };

/** The accounts and contracts of the first ledger. Equal seeds give equal accounts. */
export type Genesis = {
  readonly issuer: SigningKey;
  readonly faucet: SigningKey;
  /** Receives the escrow provider's fees. */
  readonly fees: SigningKey;
  /** An ordinary user of the network. The account is created when it is first needed. */
  readonly stranger: SigningKey;
  readonly usdc: AssetKey;
  /** The assets by the address of their token's contract. */
  readonly tokens: ReadonlyMap<string, AssetKey>;
  readonly contracts: Readonly<Record<EscrowType, Factory>>;
  readonly accounts: readonly Account[];
};

export const seedDefault = 'holdfast';

/** Enough for every use of the faucet, and small enough that sums fit into 64 bits. */
const faucetUnits = 100_000_000_000n * unitsPerWhole;
const workingUnits = 1_000n * unitsPerWhole;
/** The issuer exchanges its asset for the native one. */
const exchangeUnits = 1_000_000n * unitsPerWhole;
const firstLedger = 1;

export type GenesisOptions = { readonly seed: string; readonly passphrase: string; readonly version: ContractVersion };

export function createGenesis({ seed, passphrase, version }: GenesisOptions): Genesis {
  const derive = (purpose: string): Buffer => sha256(JSON.stringify(['sandbox', seed, purpose]));
  const [issuer, faucet, fees] = [signingKey(derive('issuer')), signingKey(derive('faucet')), signingKey(derive('fees'))];
  const usdc = assetKey({ code: 'USDC', issuer: issuer.address });
  const feesAccount = newAccount(fees.address, firstLedger, workingUnits);
  return {
    issuer,
    faucet,
    fees,
    stranger: signingKey(derive('stranger')),
    usdc,
    tokens: new Map([
      [Asset.native().contractId(passphrase), nativeAsset],
      [new Asset('USDC', issuer.address).contractId(passphrase), usdc],
    ]),
    contracts: {
      'single-release': createFactory(passphrase, version, 'single-release'),
      'multi-release': createFactory(passphrase, version, 'multi-release'),
    },
    accounts: [
      newAccount(issuer.address, firstLedger, exchangeUnits),
      newAccount(faucet.address, firstLedger, faucetUnits),
      { ...feesAccount, lines: { [usdc]: { units: 0n, limitUnits: unitsMax } } },
    ],
  };
}

/** The part of the factories that clients of the sandbox need. */
export function contractAddresses(contracts: Genesis['contracts']) {
  const of = ({ factory, wasmHash }: Factory) => ({ factory, wasmHash });
  return { 'single-release': of(contracts['single-release']), 'multi-release': of(contracts['multi-release']) };
}

function createFactory(passphrase: string, version: ContractVersion, type: EscrowType): Factory {
  const wasm = contractWasm(version, type);
  const factory = StrKey.encodeContract(sha256(JSON.stringify(['sandbox', passphrase, 'factory', type])));
  return { factory, wasm, wasmHash: sha256(wasm).toString('hex') };
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}
