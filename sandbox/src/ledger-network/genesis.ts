import { createHash } from 'node:crypto';
import { StrKey } from '@stellar/stellar-sdk';
import { newAccount, unitsMax, type Account } from '../domain/account.js';
import { assetKey, type AssetKey } from '../domain/assets.js';
import { signingKey, type SigningKey } from './keys.js';

/** The accounts of the first ledger. Equal seeds give equal accounts. */
export type Genesis = {
  readonly issuer: SigningKey;
  readonly faucet: SigningKey;
  /** Receives the escrow provider's fees. */
  readonly fees: SigningKey;
  readonly deployerContractId: string;
  readonly usdc: AssetKey;
  readonly accounts: readonly Account[];
};

export const seedDefault = 'holdfast';

const unitsPerWhole = 10_000_000n;
/** Enough for every use of the faucet, and small enough that sums fit into 64 bits. */
const faucetUnits = 100_000_000_000n * unitsPerWhole;
const workingUnits = 1_000n * unitsPerWhole;
const firstLedger = 1;

export function createGenesis(seed: string): Genesis {
  const derive = (purpose: string): Buffer =>
    createHash('sha256')
      .update(JSON.stringify(['sandbox', seed, purpose]))
      .digest();
  const [issuer, faucet, fees] = [signingKey(derive('issuer')), signingKey(derive('faucet')), signingKey(derive('fees'))];
  const usdc = assetKey({ code: 'USDC', issuer: issuer.address });
  const feesAccount = newAccount(fees.address, firstLedger, workingUnits);
  return {
    issuer,
    faucet,
    fees,
    deployerContractId: StrKey.encodeContract(derive('deployer')),
    usdc,
    accounts: [
      newAccount(issuer.address, firstLedger, workingUnits),
      newAccount(faucet.address, firstLedger, faucetUnits),
      { ...feesAccount, lines: { [usdc]: { units: 0n, limitUnits: unitsMax } } },
    ],
  };
}
