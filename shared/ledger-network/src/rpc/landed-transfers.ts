import { scValToBigInt, StrKey, type xdr } from '@stellar/stellar-sdk';
import { addressText } from '../envelopes/index.js';
import type { LedgerTransfer } from '../values/index.js';

/** The transfers that the tokens have reported (SEP-41), from the metadata of a successful transaction, in their order. */
export function transfersIn(meta: xdr.TransactionMeta): readonly LedgerTransfer[] {
  return eventsIn(meta).flatMap((event) => transferOf(event) ?? []);
}

/** Networks from protocol 23 on keep the events with each operation, earlier ones with the transaction. */
function eventsIn(meta: xdr.TransactionMeta): readonly xdr.ContractEvent[] {
  switch (meta.switch()) {
    case 3:
      return meta.v3().sorobanMeta()?.events() ?? [];
    case 4:
      return meta
        .v4()
        .operations()
        .flatMap((operation) => operation.events());
    default:
      return [];
  }
}

/** Undefined for an event of another kind. */
function transferOf(event: xdr.ContractEvent): LedgerTransfer | undefined {
  if (event.type().name !== 'contract') return undefined;
  const { topics, data } = { topics: event.body().v0().topics(), data: event.body().v0().data() };
  const [name, from, to] = topics;
  if (name === undefined || !isSymbol(name, 'transfer')) return undefined;
  const found = { token: tokenOf(event), from: addressOf(from), to: addressOf(to), units: unitsOf(data) };
  return isComplete(found) ? found : undefined;
}

function isComplete(found: { readonly [Key in keyof LedgerTransfer]: LedgerTransfer[Key] | undefined }): found is LedgerTransfer {
  return Object.values(found).every((value) => value !== undefined);
}

function tokenOf(event: xdr.ContractEvent): string | undefined {
  const id: unknown = event.contractId();
  return Buffer.isBuffer(id) ? StrKey.encodeContract(id) : undefined;
}

function addressOf(value: xdr.ScVal | undefined): string | undefined {
  return value?.switch().name === 'scvAddress' ? addressText(value.address()) : undefined;
}

/** The amount itself, or a map with it and the id of a muxed destination. */
function unitsOf(data: xdr.ScVal): bigint | undefined {
  const isMap = data.switch().name === 'scvMap';
  const amount = isMap
    ? data
        .map()
        ?.find((entry) => isSymbol(entry.key(), 'amount'))
        ?.val()
    : data;
  return amount?.switch().name === 'scvI128' ? scValToBigInt(amount) : undefined;
}

function isSymbol(value: xdr.ScVal, name: string): boolean {
  return value.switch().name === 'scvSymbol' && value.sym().toString() === name;
}
