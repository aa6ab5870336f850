import { xdr } from '@stellar/stellar-sdk';
import { unitsMax } from '../domain/account.js';
import { closeTimeOf } from '../ledger-network/ledger-view.js';
import { protocolVersion } from '../ledger-network/network.js';
import { feeUnitsPerOperation } from '../ledger-network/validity.js';
import type { LedgerHead } from '../store/records.js';

const noHash = Buffer.alloc(32);
const baseReserveUnits = 5_000_000;
const transactionsPerLedgerMax = 5_000;
const skippedLedgers = 4;

/** Ledgers are not hashed: their number in 32 bytes stands for the hash. Horizon's API shows the same digits in decimal. */
export function ledgerHash({ sequence }: LedgerHead): Buffer {
  return Buffer.from(String(sequence).padStart(64, '0'), 'hex');
}

/** The header of a closed ledger. Hashes of contents are zero. */
export function headerOf(head: LedgerHead): xdr.LedgerHeader {
  return new xdr.LedgerHeader({
    ledgerVersion: protocolVersion,
    previousLedgerHash: noHash,
    scpValue: new xdr.StellarValue({
      txSetHash: noHash,
      closeTime: xdr.Uint64.fromString(String(closeTimeOf(head))),
      upgrades: [],
      ext: xdr.StellarValueExt.stellarValueBasic(),
    }),
    txSetResultHash: noHash,
    bucketListHash: noHash,
    ledgerSeq: head.sequence,
    totalCoins: xdr.Int64.fromString(unitsMax.toString()),
    feePool: xdr.Int64.fromString(head.feePoolUnits.toString()),
    inflationSeq: 0,
    idPool: xdr.Uint64.fromString(String(head.lastOfferId ?? 0)),
    baseFee: Number(feeUnitsPerOperation),
    baseReserve: baseReserveUnits,
    maxTxSetSize: transactionsPerLedgerMax,
    skipList: Array.from({ length: skippedLedgers }, () => noHash),
    ext: new xdr.LedgerHeaderExt(0),
  });
}

/** The contents of a closed ledger. Transactions are left out: clients of the sandbox read them by their hash. */
export function closeMetaOf(head: LedgerHead): xdr.LedgerCloseMeta {
  const ledgerHeader = new xdr.LedgerHeaderHistoryEntry({
    hash: ledgerHash(head),
    header: headerOf(head),
    ext: new xdr.LedgerHeaderHistoryEntryExt(0),
  });
  const txSet = new xdr.TransactionSet({ previousLedgerHash: noHash, txes: [] });
  return new xdr.LedgerCloseMeta(
    0,
    new xdr.LedgerCloseMetaV0({ ledgerHeader, txSet, txProcessing: [], upgradesProcessing: [], scpInfo: [] }),
  );
}
