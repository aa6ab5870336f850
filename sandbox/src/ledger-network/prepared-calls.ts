import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { decodedAddress } from '../contract-calls/addresses.js';
import type { ContractCall } from '../contract-calls/contract-call.js';
import { encodeCall } from '../contract-calls/encode-call.js';
import { list, uint32, uint64, type ByteText } from '../contract-calls/xdr-bytes.js';
import type { Memo } from '../store/records.js';
import type { Signature } from './keys.js';
import type { SubmittedTransaction } from './submitted-transaction.js';

export type CallTransaction = Pick<SubmittedTransaction, 'sequence' | 'feeMaxUnits' | 'maxTime'> & {
  readonly call: ContractCall;
};

/** Cache of the transactions that the escrow provider has built, so that they need no decoding when they are submitted. */
export type PreparedCalls = {
  /** Returns the unsigned envelope. */
  readonly prepare: (transaction: CallTransaction) => string;
  /** Removes and returns the transaction. Undefined if it is not cached, or has another number of signatures than one. */
  readonly takePrepared: (envelopeXdr: string) => SubmittedTransaction | undefined;
};

type Prepared = { readonly transaction: CallTransaction; readonly hashBytes: Buffer };

/** Many times the number of built transactions that wait for their submission. */
const preparedMax = 10_000;

export function createPreparedCalls(networkId: Buffer): PreparedCalls {
  const prepared = new LRUCache<ByteText, Prepared>({ max: preparedMax });
  const networkBytes = networkId.toString('latin1');

  return {
    prepare: (transaction) => {
      const signedPart = encodeTransaction(transaction);
      const bytes = Buffer.from(networkBytes + signedPart + nothing, 'latin1');
      const hashBytes = hash('sha256', bytes.subarray(0, networkId.length + signedPart.length), 'buffer');
      prepared.set(signedPart, { transaction, hashBytes });
      return bytes.toString('base64', networkId.length);
    },
    takePrepared: (envelopeXdr) => {
      const split = splitSigned(Buffer.from(envelopeXdr, 'base64'));
      if (split === undefined) return undefined;
      const known = prepared.get(split.signedPart);
      if (known === undefined) return undefined;
      prepared.delete(split.signedPart);
      return submitted(known, split.signature, envelopeXdr);
    },
  };
}

const noMemo: Memo = { type: 'none' };

function submitted({ transaction, hashBytes }: Prepared, signature: Signature, envelopeXdr: string): SubmittedTransaction {
  const { sequence, feeMaxUnits, maxTime, call: given } = transaction;
  const { contractId, call } = given;
  return {
    hash: hashBytes.toString('hex'),
    hashBytes,
    source: call.caller,
    sequence,
    feeMaxUnits,
    minTime: 0,
    maxTime,
    memo: noMemo,
    operations: [{ kind: 'contract_call', source: call.caller, contractId, functionName: call.name, call: given }],
    signatures: [signature],
    envelopeXdr,
  };
}

/** Encoding of each absent optional part: memo, signatures, source of an operation. */
const nothing = uint32(0);

/** XDR discriminants. */
const transactionEnvelope = uint32(2);
const ed25519Account = uint32(0);
const timeBoundsFromZero = uint32(1) + uint64(0n);
const invokeContractFunction = uint32(24) + uint32(0);

/** The signed part: envelope type and transaction. Encoded here because the SDK takes many times as long. */
function encodeTransaction({ call, sequence, feeMaxUnits, maxTime }: CallTransaction): ByteText {
  const [source, memo, authorizations, extension] = [nothing, nothing, nothing, nothing];
  return (
    transactionEnvelope +
    ed25519Account +
    decodedAddress(call.call.caller).bytes +
    uint32(Number(feeMaxUnits)) +
    uint64(sequence) +
    timeBoundsFromZero +
    uint64(BigInt(maxTime)) +
    memo +
    list([source + invokeContractFunction + encodeCall(call) + authorizations]) +
    extension
  );
}

const [countBytes, hintBytes, lengthBytes, signatureBytes] = [4, 4, 4, 64];
const oneSignatureBytes = countBytes + hintBytes + lengthBytes + signatureBytes;

/** Splits an envelope with exactly one ed25519 signature into the signed part and the signature; undefined for any other. */
function splitSigned(bytes: Buffer) {
  const end = bytes.length - oneSignatureBytes;
  if (end < 0) return undefined;
  const [hintAt, lengthAt, signatureAt] = [end + countBytes, end + countBytes + hintBytes, bytes.length - signatureBytes];
  if (bytes.readUInt32BE(end) !== 1 || bytes.readUInt32BE(lengthAt) !== signatureBytes) return undefined;
  const signature = { hint: bytes.subarray(hintAt, lengthAt), signature: bytes.subarray(signatureAt) };
  return { signedPart: bytes.toString('latin1', 0, end), signature };
}
