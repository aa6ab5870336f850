import { xdr } from '@stellar/stellar-sdk';
import { closeTimeOf } from '../ledger-network/ledger-view.js';
import { protocolVersion } from '../ledger-network/network.js';
import { feeUnitsPerOperation } from '../ledger-network/validity.js';
import type { LedgerHead } from '../store/records.js';

/** Bytes of a header and of a closed ledger without contents. Zeros are valid ones, with no hashes and empty lists. */
const [headerBytes, closeMetaBytes] = [324, 412];
const baseReserveUnits = 5_000_000;

/** Ledgers are not hashed: their number in 32 bytes stands for the hash. Horizon's API shows the same digits in decimal. */
export function ledgerHash({ sequence }: LedgerHead): Buffer {
  return Buffer.from(String(sequence).padStart(64, '0'), 'hex');
}

/** The header of a closed ledger, with the fields that clients read. */
export function headerOf(head: LedgerHead): xdr.LedgerHeader {
  const header = xdr.LedgerHeader.fromXDR(Buffer.alloc(headerBytes));
  header.ledgerVersion(protocolVersion);
  header.scpValue().closeTime(xdr.Uint64.fromString(String(closeTimeOf(head))));
  header.ledgerSeq(head.sequence);
  header.feePool(xdr.Int64.fromString(head.feePoolUnits.toString()));
  header.baseFee(Number(feeUnitsPerOperation));
  header.baseReserve(baseReserveUnits);
  return header;
}

/** The contents of a closed ledger. Transactions are left out: clients of the sandbox read them by their hash. */
export function closeMetaOf(head: LedgerHead): xdr.LedgerCloseMeta {
  const meta = xdr.LedgerCloseMeta.fromXDR(Buffer.alloc(closeMetaBytes));
  meta.v0().ledgerHeader().hash(ledgerHash(head));
  meta.v0().ledgerHeader().header(headerOf(head));
  return meta;
}
