import { anOrder } from '../testing/an-order.js';
import { createKnownOrders } from './known-orders.js';

const clock = { nowMs: 0 };
const knowing = () => createKnownOrders(() => clock.nowMs);
const written = (id: `ord_${string}`, given = {}) => ({ order: anOrder({ id, ...given }), writtenBy: '7' });

describe('an order that is known', () => {
  it('is given to one at a time', () => {
    const known = knowing();
    known.keep(written('ord_1'));
    expect(known.take('ord_1')).toMatchObject(written('ord_1'));
    expect(known.take('ord_1')).toBeUndefined();
  });

  it('is forgotten where two have kept it: which of them wrote last is not known', () => {
    const known = knowing();
    known.keep(written('ord_1'));
    known.keep({ ...written('ord_1'), writtenBy: '8' });
    expect(known.take('ord_1')).toBeUndefined();
    known.keep({ ...written('ord_1'), writtenBy: '9' });
    expect(known.take('ord_1')?.writtenBy).toBe('9');
  });

  it('is forgotten after a minute, and once it is closed', () => {
    const known = knowing();
    known.keep(written('ord_1'));
    known.keep(written('ord_2'));
    known.keep(written('ord_2', { status: 'CLOSED', closeReason: 'RELEASED' }));
    clock.nowMs += 60_001;
    expect([known.take('ord_1'), known.take('ord_2')]).toEqual([undefined, undefined]);
  });

  it('makes room for newer ones', () => {
    const known = knowing();
    for (let number = 0; number <= 2_000; number += 1) known.keep(written(`ord_${number}`));
    expect(known.take('ord_0')).toBeUndefined();
    expect(known.take('ord_1')).toBeDefined();
    expect(known.take('ord_2000')).toBeDefined();
  });

  it('is forgotten with all others where one was not as it was left, and for a while nothing is kept', () => {
    const known = knowing();
    known.keep(written('ord_1'));
    known.mistrust();
    known.keep(written('ord_2'));
    expect([known.take('ord_1'), known.take('ord_2')]).toEqual([undefined, undefined]);
    clock.nowMs += 1_000;
    known.keep(written('ord_2'));
    expect(known.take('ord_2')).toBeDefined();
  });
});
