import { allSagas, awaitedBy, initEscrow } from '@holdfast/contracts/sagas';
import { allInitFaults, allInitLosses, withoutCauseInInit } from './init-cases.js';
import { withoutCause } from './loss-cases.js';

describe('the fault matrix of POST /escrow/init', () => {
  it('has every provider operation and every message of init, which is a sequence of sagas', () => {
    const sagas = allSagas.filter(({ name }) => initEscrow.sagas.some((each) => each === name));
    const operations = sagas.flatMap(({ steps }) => Object.values(steps).flatMap(({ calls = [] }) => calls));
    expect(new Set(allInitFaults.map(({ fault }) => fault.operation))).toEqual(new Set([...operations, 'read', 'submit']));
    const ofCompensation = allSagas.filter(({ name }) => name === initEscrow.compensatedBy);
    const awaited = [...sagas, ...ofCompensation].flatMap(({ steps }) => Object.values(steps).flatMap(awaitedBy));
    const wanted = awaited.map(({ type }) => type).filter((type) => ![...withoutCause, ...withoutCauseInInit].includes(type));
    expect(new Set(allInitLosses.map(({ message }) => message.type))).toEqual(new Set(wanted));
  });
});
