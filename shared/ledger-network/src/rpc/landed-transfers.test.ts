import { Keypair, nativeToScVal, StrKey, xdr } from '@stellar/stellar-sdk';
import { transfersIn } from './landed-transfers.js';
import { contractEvent, metaV3, metaV4, transferEvent } from './testing/metadata.js';

const token = StrKey.encodeContract(Buffer.alloc(32, 1));
const contract = StrKey.encodeContract(Buffer.alloc(32, 2));
const buyer = Keypair.random().publicKey();
const funding = { token, from: buyer, to: contract, units: 1_000_000_000n };
const payout = { token, from: contract, to: buyer, units: 1n };

describe('the transfers of a landed transaction', () => {
  it.each([
    ['from protocol 23 on', metaV4],
    ['before protocol 23', metaV3],
  ])('are in the metadata of networks %s, in their order', (_, metaOf) => {
    const read = xdr.TransactionMeta.fromXDR(metaOf([transferEvent(funding), transferEvent(payout)]).toXDR());
    expect(transfersIn(read)).toEqual([funding, payout]);
  });

  it('may have a muxed destination', () => {
    expect(transfersIn(metaV4([transferEvent({ ...funding, muxedId: 7n })]))).toEqual([funding]);
  });

  it('include every token, with its contract', () => {
    const other = { ...funding, token: contract };
    expect(transfersIn(metaV4([transferEvent(funding), transferEvent(other)]))).toEqual([funding, other]);
  });

  it('do not include other events', () => {
    const amount = nativeToScVal(5n, { type: 'i128' });
    const events = [
      contractEvent(contract, [xdr.ScVal.scvSymbol('tw_fund')], amount),
      contractEvent(token, [xdr.ScVal.scvString('transfer')], amount),
      contractEvent(token, [xdr.ScVal.scvSymbol('transfer')], amount),
      contractEvent(token, [xdr.ScVal.scvSymbol('approve'), xdr.ScVal.scvVoid()], amount),
      contractEvent(token, [], amount),
    ];
    expect(transfersIn(metaV4(events))).toEqual([]);
  });

  it('are none without contract events', () => {
    expect(transfersIn(metaV4([]))).toEqual([]);
    expect(transfersIn(new xdr.TransactionMeta(0, []))).toEqual([]);
  });
});
