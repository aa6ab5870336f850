import { Account, Asset, BASE_FEE, Memo, Operation, TransactionBuilder, type xdr } from '@stellar/stellar-sdk';
import type { Clock } from '@holdfast/kernel/context';
import { ProviderRefused, spendableUnits, textOfUnits, type Payment } from '../values/index.js';
import type { PaymentExpectation } from '../expectations/index.js';
import { validUntilSeconds } from './treasury-operations.js';
import type { LedgerNetwork } from '../horizon/index.js';

/** Payments without a contract call. */
export type LedgerPayments = {
  /** Throws ProviderRefused where the payer's account does not hold enough. */
  readonly build: (payer: string, payment: Payment) => Promise<string>;
  /** The one transaction that may be signed for this payment. */
  readonly expect: (payer: string, payment: Payment) => PaymentExpectation;
};

export type LedgerPaymentsDeps = {
  readonly network: Pick<LedgerNetwork, 'account' | 'networkPassphrase'>;
  readonly usdcIssuer: string;
  readonly clock: Pick<Clock, 'epochMs'>;
};

/** A payment bids the minimum itself; the fee bump bids the network's current fee. */
export function ledgerPayments({ network, usdcIssuer, clock }: LedgerPaymentsDeps): LedgerPayments {
  const assets = { XLM: Asset.native(), USDC: new Asset('USDC', usdcIssuer) };
  return {
    build: async (payer, payment) => {
      const account = await network.account(payer);
      if (account === undefined || spendableUnits(account, payment.asset) < payment.units)
        throw new ProviderRefused('the paying account does not hold enough');
      return new TransactionBuilder(new Account(payer, account.sequence.toString()), {
        fee: BASE_FEE,
        networkPassphrase: network.networkPassphrase,
        timebounds: { minTime: 0, maxTime: validUntilSeconds(clock) },
        memo: Memo.hash(payment.memoHash),
      })
        .addOperation(operationOf(payment, assets[payment.asset]))
        .build()
        .toXDR();
    },
    expect: (payer, payment) => ({
      networkPassphrase: network.networkPassphrase,
      signer: payer,
      feeUnitsMax: BigInt(BASE_FEE),
      payment,
      assetName: assets[payment.asset].toString(),
    }),
  };
}

function operationOf({ to, units, isNewAccount }: Payment, asset: Asset): xdr.Operation {
  return isNewAccount
    ? Operation.createAccount({ destination: to, startingBalance: textOfUnits(units) })
    : Operation.payment({ destination: to, asset, amount: textOfUnits(units) });
}
