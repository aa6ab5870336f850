import { Account, Asset, Operation, TransactionBuilder, type xdr } from '@stellar/stellar-sdk';
import type { Clock } from '@holdfast/kernel/context';
import { neededUnits, type Payment } from '../../domain/payout.js';
import { ProviderRefused } from '../../use-cases/ports.js';
import { textOfUnits, unitsOfText } from '../network/units-of-text.js';
import type { LedgerNetwork, LedgerPayments } from '../ports.js';

export type LedgerPaymentsDeps = {
  readonly network: Pick<LedgerNetwork, 'account' | 'networkPassphrase'>;
  readonly usdcIssuer: string;
  readonly clock: Pick<Clock, 'epochMs'>;
};

const validMs = 30_000;
/** Maximum fee; the network charges the current, lower fee. */
const feeUnits = '10000';

export function ledgerPayments({ network, usdcIssuer, clock }: LedgerPaymentsDeps): LedgerPayments {
  const assets = { XLM: Asset.native(), USDC: new Asset('USDC', usdcIssuer) };
  return {
    build: async (payer, payment) => {
      const account = await network.account(payer);
      if (account === undefined || (account.balances[payment.asset] ?? 0n) < neededUnits(payment))
        throw new ProviderRefused('the paying account does not hold enough');
      const maxTime = Math.floor((clock.epochMs() + validMs) / 1_000);
      return new TransactionBuilder(new Account(payer, account.sequence.toString()), {
        fee: feeUnits,
        networkPassphrase: network.networkPassphrase,
        timebounds: { minTime: 0, maxTime },
      })
        .addOperation(operationOf(payment, assets[payment.asset]))
        .build()
        .toXDR();
    },
    isPayment: ({ transaction }, payment) => {
      const [only, ...others] = transaction.operations();
      if (only === undefined || others.length > 0 || (only.sourceAccount() ?? undefined) !== undefined) return false;
      const operation = Operation.fromXDRObject(only);
      return payment.isNewAccount ? isCreation(operation, payment) : isTransfer(operation, payment, assets[payment.asset]);
    },
  };
}

function isCreation(operation: Operation, { to, asset, units }: Payment): boolean {
  if (operation.type !== 'createAccount' || asset !== 'XLM') return false;
  return operation.destination === to && unitsOfText(operation.startingBalance) === units;
}

function isTransfer(operation: Operation, { to, units }: Payment, asset: Asset): boolean {
  if (operation.type !== 'payment' || !operation.asset.equals(asset)) return false;
  return operation.destination === to && unitsOfText(operation.amount) === units;
}

function operationOf({ to, units, isNewAccount }: Payment, asset: Asset): xdr.Operation {
  return isNewAccount
    ? Operation.createAccount({ destination: to, startingBalance: textOfUnits(units) })
    : Operation.payment({ destination: to, asset, amount: textOfUnits(units) });
}
