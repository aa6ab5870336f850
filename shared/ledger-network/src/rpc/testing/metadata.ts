import { Address, nativeToScVal, xdr } from '@stellar/stellar-sdk';

export type TransferEvent = {
  readonly token: string;
  readonly from: string;
  readonly to: string;
  readonly units: bigint;
  /** The id of a muxed destination, with which the data is a map. */
  readonly muxedId?: bigint;
};

const none = new xdr.ExtensionPoint(0);

/** The event of a token contract about a transfer, as SEP-41 defines it. */
export function transferEvent({ token, from, to, units, muxedId }: TransferEvent): xdr.ContractEvent {
  const amount = nativeToScVal(units, { type: 'i128' });
  const topics = [
    xdr.ScVal.scvSymbol('transfer'),
    new Address(from).toScVal(),
    new Address(to).toScVal(),
    xdr.ScVal.scvString('USDC:GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5'),
  ];
  const entry = (key: string, val: xdr.ScVal) => new xdr.ScMapEntry({ key: xdr.ScVal.scvSymbol(key), val });
  const data =
    muxedId === undefined
      ? amount
      : xdr.ScVal.scvMap([entry('amount', amount), entry('to_muxed_id', xdr.ScVal.scvU64(new xdr.Uint64(muxedId)))]);
  return contractEvent(token, topics, data);
}

export function contractEvent(contract: string, topics: xdr.ScVal[], data: xdr.ScVal): xdr.ContractEvent {
  return new xdr.ContractEvent({
    ext: none,
    contractId: new Address(contract).toScAddress().contractId(),
    type: xdr.ContractEventType.contract(),
    body: new xdr.ContractEventBody(0, new xdr.ContractEventV0({ topics, data })),
  });
}

/** Metadata of networks from protocol 23 on. */
export function metaV4(events: xdr.ContractEvent[]): xdr.TransactionMeta {
  const operation = new xdr.OperationMetaV2({ ext: none, changes: [], events });
  const sorobanMeta = new xdr.SorobanTransactionMetaV2({
    ext: new xdr.SorobanTransactionMetaExt(0),
    returnValue: xdr.ScVal.scvVoid(),
  });
  const value = { ext: none, txChangesBefore: [], operations: [operation], txChangesAfter: [], events: [], diagnosticEvents: [] };
  return new xdr.TransactionMeta(4, new xdr.TransactionMetaV4({ ...value, sorobanMeta }));
}

/** Metadata of networks before protocol 23. */
export function metaV3(events: xdr.ContractEvent[]): xdr.TransactionMeta {
  const sorobanMeta = new xdr.SorobanTransactionMeta({
    ext: new xdr.SorobanTransactionMetaExt(0),
    events,
    returnValue: xdr.ScVal.scvVoid(),
    diagnosticEvents: [],
  });
  const value = { ext: none, txChangesBefore: [], operations: [], txChangesAfter: [] };
  return new xdr.TransactionMeta(3, new xdr.TransactionMetaV3({ ...value, sorobanMeta }));
}
