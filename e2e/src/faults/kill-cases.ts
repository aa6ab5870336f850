import { initEscrow } from '@holdfast/contracts/sagas';
import type { ServiceName } from '@holdfast/contracts/services';
import { allPaymentKills, type PaymentKill } from './payment-cases.js';
import { providerCalls, sagaRequests, type SagaRequest } from './saga-requests.js';

/** What holds the acting process where it is to die. */
export type Held = { readonly operation: string; readonly kind: 'latency' | 'timeout-after-effect' };

export type Kill = Pick<SagaRequest, 'during' | 'ending'> & {
  readonly name: string;
  readonly service: ServiceName;
  /** Absent means at any moment. */
  readonly held?: Held;
};

/** While a person pays into escrow. */
export type InitKill = Pick<Kill, 'name' | 'service' | 'held'>;

const beforeCall = { kind: 'latency' } as const;
const afterCall = { kind: 'timeout-after-effect' } as const;

/** Before the provider call, after it and before the commit, and at any moment: after the commit is among them. */
export const allKills: readonly Kill[] = [
  ...providerCalls.flatMap(({ during, ending, operation }) =>
    [beforeCall, afterCall].map((held) => ({ service: 'escrow-adapter' as const, during, ending, held: { ...held, operation } })),
  ),
  ...(['escrow-adapter', 'ledger-balance', 'orders'] as const).flatMap((service) =>
    sagaRequests.map(({ during, ending }) => ({ service, during, ending })),
  ),
].map(named);

/** In the same places; orders also between two sagas, while the next one is held. */
export const allInitKills: readonly InitKill[] = [
  ...(['escrow-adapter', 'orders'] as const).flatMap((service) =>
    providerCalls
      .filter(({ saga }) => initEscrow.sagas.some((name) => name === saga))
      .flatMap(({ operation }) => [beforeCall, afterCall].map((held) => ({ service, held: { ...held, operation } }))),
  ),
  ...(['escrow-adapter', 'ledger-balance', 'orders'] as const).flatMap((service) => [{ service }, { service }, { service }]),
].map((kill) => named({ during: 'init', ...kill }));

/** What is under way when a service dies. */
export type Death = {
  readonly service: ServiceName;
  readonly inits?: readonly InitKill[];
  readonly orders?: readonly Kill[];
  readonly payments?: readonly PaymentKill[];
};

type NamedDeath = Death & { readonly name: string };

/** One by one, and the services in turn: one that is started again has run for a while when it dies next, so that few tests wait for that. */
export const allDeaths: readonly NamedDeath[] = inTurn([
  ...allKills.map((kill) => ({ name: kill.name, service: kill.service, orders: [kill] })),
  ...allPaymentKills.map((kill) => ({ name: kill.name, service: kill.service, payments: [kill] })),
  ...allInitKills.map((kill) => ({ name: kill.name, service: kill.service, inits: [kill] })),
]);

/** Each service dies once, with several requests under way: before a provider call, after one, and at any moment. */
export const chosenDeaths: readonly Death[] = [
  {
    service: 'escrow-adapter',
    inits: pick(allInitKills, 'escrow-adapter during init, after fund'),
    orders: [
      ...pick(allKills, 'escrow-adapter during escrow, before deploy'),
      ...pick(allKills, 'escrow-adapter during release, after release'),
      ...pick(allKills, 'escrow-adapter during split-milestone, after resolve'),
    ],
  },
  {
    service: 'payments',
    payments: [...pick(allPaymentKills, 'payments after create-payin'), ...pick(allPaymentKills, 'payments after commit')],
  },
  {
    service: 'ledger-balance',
    orders: pick(allKills, 'ledger-balance during fund, at any moment'),
    payments: pick(allPaymentKills, 'ledger-balance during complete-withdrawal, at any moment'),
  },
  {
    service: 'orders',
    inits: pick(allInitKills, 'orders during init, before deploy'),
    orders: [
      ...pick(allKills, 'orders during cancel, at any moment'),
      ...pick(allKills, 'orders during release-milestone, at any moment'),
    ],
  },
];

/** The deaths of each service are spread evenly over all of them. */
function inTurn(deaths: readonly NamedDeath[]): readonly NamedDeath[] {
  const placed = deaths.map((death) => {
    const ofService = deaths.filter(({ service }) => service === death.service);
    return { death, place: (ofService.indexOf(death) + 0.5) / ofService.length };
  });
  return placed.toSorted((one, other) => one.place - other.place).map(({ death }) => death);
}

function pick<Case extends { readonly name: string }>(cases: readonly Case[], name: string): readonly Case[] {
  const found = cases.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`there is no kill of ${name}`);
  return [found];
}

type Unnamed = Omit<InitKill, 'name'> & { readonly during: string };

function named<Case extends Unnamed>(kill: Case): Case & { readonly name: string } {
  const { service, during, held } = kill;
  const when = held === undefined ? 'at any moment' : `${held.kind === 'latency' ? 'before' : 'after'} ${held.operation}`;
  return { ...kill, name: `${service} during ${during}, ${when}` };
}
