import { getCustodyBalances, getJournalTotals, listCustodyAccounts } from '@holdfast/contracts/http';
import { handle, type BoundRoute } from '@holdfast/http/server';
import * as message from '@holdfast/contracts/messages';
import { formatUnits, parseUnits } from '@holdfast/kernel/money';
import type { SimulatedLedger } from './simulated-ledger.js';

type Held = {
  readonly place: message.CustodyPlace;
  readonly ownerId: string | null;
  readonly asset: message.CustodyAsset;
  readonly amount: string;
};

/** What wallets and contracts hold, according to the journal and to the ledger network. */
export type SimulatedCustody = {
  journal: readonly Held[];
  network: readonly Held[];
  /** What the journal has of pay-ins besides those of the commands. */
  payinsBooked: string;
  /** Called when a comparison has read the network. */
  onNetworkRead?: () => void;
};

/** The routes of ledger-balance that read the journal. The totals follow from the commands that it has handled. */
export function journalRoutes(ledger: SimulatedLedger, custody: SimulatedCustody): readonly BoundRoute[] {
  return [
    handle(getJournalTotals, () => {
      const totals = totalsOf(ledger.commands, parseUnits(custody.payinsBooked));
      const shown = Object.entries(totals).map(([owner, units]) => ({
        owner,
        currency: 'USD' as const,
        amount: formatUnits(units),
      }));
      return Promise.resolve({ totals: shown });
    }),
    // Two pages, because the journal of a platform has many.
    handle(listCustodyAccounts, ({ query: { after } }) => {
      const half = Math.ceil(custody.journal.length / 2);
      const isFirst = after === undefined;
      const balances = isFirst ? custody.journal.slice(0, half) : custody.journal.slice(half);
      return Promise.resolve({ balances: [...balances], after: isFirst ? 'half' : null });
    }),
  ];
}

export function networkRoutes(custody: SimulatedCustody): readonly BoundRoute[] {
  return [
    handle(getCustodyBalances, ({ body: { accounts } }) => {
      const isWanted = (held: Held): boolean =>
        accounts.some(({ place, ownerId }) => place === held.place && ownerId === held.ownerId);
      const balances = custody.network.filter(isWanted);
      custody.onNetworkRead?.();
      return Promise.resolve({ balances });
    }),
  ];
}

function totalsOf(commands: readonly message.Envelope[], payinsBooked: bigint): Readonly<Record<string, bigint>> {
  const totals: Record<string, bigint> = { payins: -payinsBooked, payouts: 0n };
  const add = (owner: string, units: bigint) => void (totals[owner] = (totals[owner] ?? 0n) + units);
  for (const { type, payload } of new Map(commands.map((command) => [command.id, command])).values()) {
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the type determines the payload
    const command = payload as any;
    if (type === message.topupPaymentReceived.type) add('payins', -parseUnits(command.amount));
    if (type === message.withdrawalPaidOut.type && command.method === 'payment_provider')
      add('payouts', parseUnits(command.amount));
    if (type === message.caseOpened.type) add(command.origin, -parseUnits(command.amount));
    if (type === message.caseResolutionRequested.type && command.action === 'return') add('payouts', parseUnits(command.amount));
  }
  return totals;
}
