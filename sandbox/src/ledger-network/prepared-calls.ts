import { addressBytes } from '../contract-calls/addresses.js';
import type { ContractCall } from '../contract-calls/contract-call.js';
import { encodeCall } from '../contract-calls/encode-call.js';
import { list, uint32, uint64 } from '../contract-calls/xdr-bytes.js';
import { hashOf } from './envelope.js';
import type { SubmittedTransaction } from './submitted-transaction.js';

export type CallTransaction = Pick<SubmittedTransaction, 'sequence' | 'feeMaxUnits' | 'maxTime'> & {
  readonly call: ContractCall;
};

/** Transactions that are made here. When one comes back signed, its hash says what it is, and nothing is decoded. */
export type PreparedCalls = {
  /** An unsigned envelope. */
  readonly prepare: (transaction: CallTransaction) => string;
  /** Undefined for what was not made here, is not signed by exactly one, or came back before. */
  readonly recall: (envelopeXdr: string) => SubmittedTransaction | undefined;
};

type Prepared = Omit<SubmittedTransaction, 'signatures' | 'envelopeXdr'>;

/** Many times what is built and not yet submitted at any time. The oldest are forgotten first. */
const preparedMax = 10_000;

export function createPreparedCalls(networkId: Buffer): PreparedCalls {
  const prepared = new Map<string, Prepared>();

  const forgetOldest = (): void => {
    const [oldest] = prepared.keys();
    if (oldest !== undefined) prepared.delete(oldest);
  };

  const remember = (transaction: Prepared): void => {
    if (prepared.size >= preparedMax) forgetOldest();
    prepared.set(transaction.hash, transaction);
  };

  return {
    prepare: (transaction) => {
      const signedPart = encodeTransaction(transaction);
      remember(preparedOf(transaction, hashOf(signedPart, networkId)));
      return Buffer.concat([signedPart, nothing]).toString('base64');
    },
    recall: (envelopeXdr) => {
      const bytes = Buffer.from(envelopeXdr, 'base64');
      const split = splitSigned(bytes);
      if (split === undefined) return undefined;
      const hash = hashOf(split.signedPart, networkId).toString('hex');
      const transaction = prepared.get(hash);
      if (transaction === undefined) return undefined;
      prepared.delete(hash);
      return { signatures: [split.signature], envelopeXdr, ...transaction };
    },
  };
}

function preparedOf({ call: given, ...transaction }: CallTransaction, hashBytes: Buffer): Prepared {
  const { contractId, call } = given;
  return {
    hash: hashBytes.toString('hex'),
    hashBytes,
    source: call.caller,
    minTime: 0,
    memo: { type: 'none' },
    operations: [{ kind: 'contract_call', source: call.caller, contractId, functionName: call.name, call: given }],
    ...transaction,
  };
}

/** Whatever may be there and is not: a memo, signatures, another source of an operation. */
const nothing = uint32(0);

/** The numbers by which the network knows what follows. */
const transactionEnvelope = uint32(2);
const ed25519Account = uint32(0);
const timeBoundsFromZero = Buffer.concat([uint32(1), uint64(0n)]);
const invokeContractFunction = Buffer.concat([uint32(24), uint32(0)]);

/** The kind of the envelope and the transaction, which is what is signed. The SDK's own writing takes twenty times as long. */
function encodeTransaction({ call, sequence, feeMaxUnits, maxTime }: CallTransaction): Buffer {
  const [source, memo, authorizations, extension] = [nothing, nothing, nothing, nothing];
  return Buffer.concat([
    transactionEnvelope,
    ed25519Account,
    addressBytes(call.call.caller),
    uint32(Number(feeMaxUnits)),
    uint64(sequence),
    timeBoundsFromZero,
    uint64(BigInt(maxTime)),
    memo,
    list([Buffer.concat([source, invokeContractFunction, encodeCall(call), authorizations])]),
    extension,
  ]);
}

const [countBytes, hintBytes, lengthBytes, signatureBytes] = [4, 4, 4, 64];
const oneSignatureBytes = countBytes + hintBytes + lengthBytes + signatureBytes;

/** What precedes a single signature of the usual length at the end, and that signature; undefined if the end is no such thing. */
function splitSigned(bytes: Buffer) {
  const end = bytes.length - oneSignatureBytes;
  if (end < 0) return undefined;
  const [hintAt, lengthAt, signatureAt] = [end + countBytes, end + countBytes + hintBytes, bytes.length - signatureBytes];
  if (bytes.readUInt32BE(end) !== 1 || bytes.readUInt32BE(lengthAt) !== signatureBytes) return undefined;
  const signature = { hint: bytes.subarray(hintAt, lengthAt), signature: bytes.subarray(signatureAt) };
  return { signedPart: bytes.subarray(0, end), signature };
}
