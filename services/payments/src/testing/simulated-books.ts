import {
  getBookTerms,
  getCustodyBalances,
  getDepositTotals,
  getJournalTotals,
  listCustodyAccounts,
} from '@holdfast/contracts/http';
import { handle, type BoundRoute } from '@holdfast/http/server';
import * as message from '@holdfast/contracts/messages';
import { formatUnits, parseUnits, type Currency } from '@holdfast/kernel/money';
import type { SimulatedLedger } from './simulated-ledger.js';

type Held = {
  readonly place: message.CustodyPlace;
  readonly ownerId: string | null;
  readonly asset: message.CustodyAsset;
  readonly amount: string;
};

type Term = { readonly term: string; readonly currency: Currency; readonly amount: string };

/** What wallets and contracts hold, according to the journal and to the ledger network. */
export type SimulatedCustody = {
  journal: readonly Held[];
  network: readonly Held[];
  /** The pay-ins of the journal that do not come from the commands. */
  payinsBooked: string;
  /** Deposits of USDC: what escrow-adapter has published, and what the journal has of them. */
  depositsPublished: string;
  depositsBooked: string;
  /** Of the published ones, those that the ledger has not acknowledged. */
  depositsInFlight: string;
  /** The ledger that the network was read at. */
  ledger: number;
  /** The journal after that ledger, where it has more by now. */
  journalAtLedger?: readonly Held[];
  /** Totals of the journal beside those that follow from the commands. */
  terms: readonly Term[];
  /** What the terms are after they were read once more. */
  nextTerms?: readonly Term[] | undefined;
  /** Deposits that are too small to be credited alone. */
  depositsWaiting: string;
  /** Owners with a transaction on its way to the journal. */
  moving: readonly string[];
};

export const emptyCustody: SimulatedCustody = {
  journal: [],
  network: [],
  payinsBooked: '0.00',
  depositsPublished: '0.00',
  depositsBooked: '0.00',
  depositsInFlight: '0.00',
  ledger: 7,
  moving: [],
  terms: [],
  nextTerms: undefined,
  depositsWaiting: '0.00',
};

/** The routes of ledger-balance that read the journal. The totals follow from the commands that it has handled. */
export function journalRoutes(ledger: SimulatedLedger, custody: SimulatedCustody): readonly BoundRoute[] {
  return [
    handle(getJournalTotals, () => {
      const totals = totalsOf(ledger.commands, custody);
      return Promise.resolve({ totals: totals.map(({ units, ...total }) => ({ ...total, amount: formatUnits(units) })) });
    }),
    handle(getBookTerms, () => {
      const external = totalsOf(ledger.commands, custody).map(({ owner, currency, units }) => ({
        term: `external:${owner}`,
        currency,
        amount: formatUnits(units),
      }));
      const terms = [...external, ...custody.terms];
      custody.terms = custody.nextTerms ?? custody.terms;
      return Promise.resolve({ terms });
    }),
    // Two pages, because the journal of a platform has many.
    handle(listCustodyAccounts, ({ query: { after, ledger: number } }) => {
      const journal = number === undefined ? custody.journal : (custody.journalAtLedger ?? custody.journal);
      const half = Math.ceil(journal.length / 2);
      const isFirst = after === undefined;
      const balances = isFirst ? journal.slice(0, half) : journal.slice(half);
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
      const moving = accounts.filter(({ ownerId }) => ownerId !== null && custody.moving.includes(ownerId));
      return Promise.resolve({ ledger: custody.ledger, balances, moving });
    }),
    handle(getDepositTotals, () =>
      Promise.resolve({
        totals: [
          {
            currency: 'USDC',
            amount: custody.depositsPublished,
            inFlight: custody.depositsInFlight,
            waiting: custody.depositsWaiting,
          },
        ],
      }),
    ),
  ];
}

type Total = { readonly owner: string; readonly currency: Currency; readonly units: bigint };

function totalsOf(commands: readonly message.Envelope[], custody: SimulatedCustody): readonly Total[] {
  const totals = new Map<string, Total>();
  const add = (owner: string, units: bigint, currency: Currency = 'USD') => {
    const key = `${owner} ${currency}`;
    totals.set(key, { owner, currency, units: (totals.get(key)?.units ?? 0n) + units });
  };
  add('payins', -parseUnits(custody.payinsBooked));
  add('deposits', -parseUnits(custody.depositsBooked), 'USDC');
  for (const { type, payload } of new Map(commands.map((command) => [command.id, command])).values()) {
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the type determines the payload
    const command = payload as any;
    if (type === message.topupCreditRequested.type) add('payins', -parseUnits(command.amount));
    if (type === message.withdrawalDeductRequested.type && command.method === 'payment_provider')
      add('payouts', parseUnits(command.amount));
    if (type === message.caseBookingRequested.type) add(command.origin, -parseUnits(command.amount), command.currency);
    if (type === message.caseResolutionRequested.type && command.action === 'return') add('payouts', parseUnits(command.amount));
  }
  return [...totals.values()];
}
