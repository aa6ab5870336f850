import { Asset, xdr } from '@stellar/stellar-sdk';
import type { AssetKey } from '../domain/assets.js';
import type { OfferOperation } from '../domain/offer-operations.js';
import type { Price } from '../domain/offer.js';
import { assetKeyOf } from './operation-fields.js';

/** Reads an offer from the envelope, because the SDK's own record has no exact price; undefined for other operations. */
export function parseOffer(body: xdr.OperationBody | undefined, source: string): OfferOperation | undefined {
  switch (body?.switch()) {
    case xdr.OperationType.manageSellOffer(): {
      const operation = body.manageSellOfferOp();
      const [units, offerId] = [operation.amount().toBigInt(), operation.offerId().toBigInt()];
      return { kind: 'manage_sell_offer', source, ...termsOf(operation), units, offerId };
    }
    case xdr.OperationType.manageBuyOffer(): {
      const operation = body.manageBuyOfferOp();
      const [units, offerId] = [operation.buyAmount().toBigInt(), operation.offerId().toBigInt()];
      return { kind: 'manage_buy_offer', source, ...termsOf(operation), units, offerId };
    }
    case xdr.OperationType.createPassiveSellOffer(): {
      const operation = body.createPassiveSellOfferOp();
      const units = operation.amount().toBigInt();
      return { kind: 'create_passive_sell_offer', source, ...termsOf(operation), units, offerId: 0n };
    }
    default:
      return undefined;
  }
}

type Terms = { readonly selling: AssetKey; readonly buying: AssetKey; readonly price: Price };

function termsOf(operation: xdr.ManageSellOfferOp | xdr.ManageBuyOfferOp | xdr.CreatePassiveSellOfferOp): Terms {
  const [selling, buying] = [operation.selling(), operation.buying()].map((asset) => assetKeyOf(Asset.fromOperation(asset)));
  const price = operation.price();
  return { selling: selling ?? '', buying: buying ?? '', price: { n: price.n(), d: price.d() } };
}
