import { randomInt } from 'node:crypto';
import { IntentPaused, type Intent } from '@holdfast/intents';
import { LeaseTimedOut, type LeaseHandle, type Leases } from '@holdfast/intents/leases';
import type { Signer } from './transactions.js';

export type SourceAccountDeps = {
  /** They say whether a transaction of the account that belongs to another intent may still land. */
  readonly leases: Leases;
  readonly intent: Intent;
  readonly signal: AbortSignal;
  /** Leases of this run, by address. */
  readonly leasedAccounts: Map<string, LeaseHandle>;
};

/** A run waits this long for a source account. Then it pauses: running intents are limited, and others could use its slot. */
const waitMsMax = 1_000;
const retryMs = { min: 200, max: 800 };

/**
 * Leases one of the accounts and returns its signer; prefers one that this run has leased already. Accounts with an open transaction
 * of another intent are left out: its sequence number is taken. Throws IntentPaused if none is free in time.
 */
export async function leaseSourceAccount(deps: SourceAccountDeps, signers: readonly Signer[]): Promise<Signer> {
  const { leasedAccounts } = deps;
  const own = signers.find(({ address }) => leasedAccounts.has(address));
  if (own !== undefined) return own;
  for (let candidates = signers; candidates.length > 0;) {
    const { account, signer } = await lease(deps, candidates);
    leasedAccounts.set(account.name, account);
    if (!account.isUsedByOthers) return signer;
    leasedAccounts.delete(account.name);
    account.release();
    candidates = candidates.filter(({ address }) => address !== account.name);
  }
  throw accountInUse();
}

type Leased = { readonly account: LeaseHandle; readonly signer: Signer };

async function lease({ leases, intent, signal }: SourceAccountDeps, signers: readonly Signer[]): Promise<Leased> {
  const addresses = signers.map(({ address }) => address);
  const account = await leases.acquire(addresses, signal, waitMsMax, intent.id).catch(pauseOnTimeout);
  const signer = signers.find(({ address }) => address === account.name);
  if (signer === undefined) throw new Error('The lease is for an account that was not requested.');
  return { account, signer };
}

/** The delays differ, so that the waiting intents of an account do not all come back at once. */
function pauseOnTimeout(error: unknown): never {
  if (error instanceof LeaseTimedOut) throw new IntentPaused('the source account is in use', randomInt(retryMs.min, retryMs.max));
  throw error;
}

const inUseRetryMs = 1_000;

/** One transaction at a time per source account: the others wait, and that does not count as a failed attempt. */
export function accountInUse(): IntentPaused {
  return new IntentPaused('another transaction of the source account may still land', inUseRetryMs);
}
