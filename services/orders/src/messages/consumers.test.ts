import { allMessages } from '@holdfast/shared/contracts/messages';
import { allSagas } from '@holdfast/shared/sagas';
import type { Deps } from '../use-cases/ports.js';
import { consumersOf } from './consumers.js';

const consumed = consumersOf({} as Deps).map(({ declaration }) => declaration.type);

describe('the consumers of orders', () => {
  it('are exactly the messages that name it as listener', () => {
    const listenedTo = allMessages.filter(({ listeners }) => listeners.includes('orders')).map(({ type }) => type);
    expect([...consumed].sort()).toEqual([...listenedTo].sort());
  });

  it('include every message that a saga has it act on', () => {
    const actedOn = allSagas.flatMap(({ steps }) =>
      steps.filter(({ by }) => by === 'orders').flatMap(({ on }) => on?.type ?? []),
    );
    expect(actedOn.filter((type) => !consumed.includes(type))).toEqual([]);
  });
});
