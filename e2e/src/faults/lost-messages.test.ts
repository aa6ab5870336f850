import { allMessages } from '@holdfast/contracts/messages';
import { allSagas, awaitedBy } from '@holdfast/contracts/sagas';
import { allLosses, withoutCause } from './loss-cases.js';
import { allUnrepeatedLosses, unrepeatedWithoutCause } from './unrepeated-cases.js';

describe('the matrix of lost messages', () => {
  it('loses every message that a step of an order saga awaits', () => {
    const awaited = allSagas
      .filter(({ steps }) => steps['start']?.by === 'orders')
      .flatMap(({ name, steps }) => Object.values(steps).flatMap((step) => awaitedBy(step).map(({ type }) => ({ name, type }))));
    const wanted = awaited.filter(({ type }) => !withoutCause.includes(type)).map(({ name, type }) => `${name} ${type}`);
    expect(new Set(allLosses.map(({ saga, message }) => `${saga} ${message.type}`))).toEqual(new Set(wanted));
  });

  it('loses every message that no saga run resends', () => {
    const acknowledged = allMessages.filter((message) => message.acknowledged === true).map(({ type }) => type);
    expect(new Set([...allUnrepeatedLosses.map(({ name }) => name), ...unrepeatedWithoutCause])).toEqual(new Set(acknowledged));
  });
});
