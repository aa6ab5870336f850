import { allSagas } from '@holdfast/contracts/sagas';
import { assertAllMessagesHandled } from '@holdfast/service-kit';
import { sagaNames } from '../domain/order.js';
import type { Deps } from '../use-cases/ports.js';
import { consumersOf } from './consumers.js';

describe('the consumers of orders', () => {
  it('handle every message that the saga tables declare for orders', () => {
    expect(() => assertAllMessagesHandled('orders', consumersOf({} as Deps))).not.toThrow();
  });

  it('cover every saga that orders starts', () => {
    const started = allSagas.filter(({ steps }) => steps['start']?.by === 'orders').map(({ name }) => name);
    expect(started.toSorted()).toEqual(sagaNames.toSorted());
  });
});
