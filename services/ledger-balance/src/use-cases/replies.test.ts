import {
  balanceReservationMade,
  balanceReservationRefused,
  orderReserveRequested,
  type Envelope,
} from '@holdfast/contracts/messages';
import { reserveSaga } from '@holdfast/contracts/sagas';
import { bind } from '@holdfast/service-kit';
import type { Account } from '../domain/accounts.js';
import type { Deps } from './ports.js';
import { postMessage } from './post-request.js';
import { balanceReply, balancesNow } from './replies.js';

const user: Account = {
  kind: 'user',
  owner: 'usr_1',
  currency: 'USD',
  id: 1n,
  availableUnits: 0n,
  reservedUnits: 10_000_000n,
  version: 2,
  isSuspended: false,
};
const funds = { orderId: 'ord_1', userId: 'usr_1', amount: '1.00', currency: 'USD' } as const;

describe('the reply of the ledger', () => {
  it('is about the balance of the user', () => {
    expect(balanceReply(balanceReservationMade, user, { ...funds, ...balancesNow(user) })).toEqual({
      declaration: balanceReservationMade,
      aggregateId: 'usr_1',
      aggregatePart: 'USD',
      aggregateVersion: 2,
      payload: { ...funds, availableBalance: '0.00', reservedBalance: '1.00' },
    });
  });

  it('compiles only with the payload of its declaration', () => {
    const incomplete = [
      // @ts-expect-error -- the reserved balance is missing
      balanceReply(balanceReservationMade, user, { ...funds, availableBalance: '0.00' }),
      // @ts-expect-error -- the code is missing
      balanceReply(balanceReservationRefused, user, { ...funds, details: {} }),
      // @ts-expect-error -- the code is not in the catalogue
      balanceReply(balanceReservationRefused, user, { ...funds, code: 'NO_MONEY', details: {} }),
    ];
    expect(incomplete.map(({ declaration }) => declaration.type)).toHaveLength(3);
  });

  it('compiles only if the step declares it, and the event about what its instruction changes', () => {
    const deps = {} as Deps;
    const amount = { units: 1n, currency: 'USD' } as const;
    const reservedFor = { kind: 'order', subjectId: 'ord_1' } as const;
    const ofUser = { userId: 'usr_1', amount, reservedFor } as const;
    const placed = () => balanceReply(balanceReservationMade, user, { ...funds, ...balancesNow(user) });
    const refused = () => balanceReply(balanceReservationRefused, user, { ...funds, code: 'INSUFFICIENT_FUNDS', details: {} });
    const reply = { done: placed, refused };
    const reserve = { type: 'RESERVE', instruction: { ...ofUser, does: 'reserve' } } as const;
    const release = {
      type: 'RELEASE',
      instruction: { ...ofUser, does: 'free', reason: '', exceeded: 'INVALID_STATE' },
    } as const;
    const abort = () => Promise.resolve({});
    const bound = [
      ...bind(reserveSaga, 'ledger-balance', { reserve: (message) => postMessage(deps, message, { ...reserve, reply }), abort }),
      // @ts-expect-error -- the instruction publishes balance.released, which the step does not declare
      ...bind(reserveSaga, 'ledger-balance', { reserve: (message) => postMessage(deps, message, { ...release, reply }), abort }),
      ...bind(reserveSaga, 'ledger-balance', {
        reserve: (message) => postMessage(deps, message, { ...reserve, reply }),
        // @ts-expect-error -- the step "abort" does not declare the reply to a reservation that was placed
        abort: (message: Envelope) => postMessage(deps, message, { ...reserve, reply }),
      }),
    ];
    expect(bound.filter(({ declaration }) => declaration === orderReserveRequested)).toHaveLength(3);
  });
});
