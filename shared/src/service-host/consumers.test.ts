import { allMessages } from '../contracts/messages/index.js';
import { on, refuseForgottenMessages } from './index.js';

const heardByOrders = allMessages.filter(({ listeners }) => listeners.includes('orders'));
const consumers = heardByOrders.map((declaration) => on(declaration, () => Promise.resolve()));

describe('a service that starts', () => {
  it('has a consumer for every message it is declared to hear', () => {
    expect(() => refuseForgottenMessages('orders', consumers)).not.toThrow();
  });

  it('is refused by name where one was forgotten', () => {
    const [forgotten] = heardByOrders;
    expect(() => refuseForgottenMessages('orders', consumers.slice(1))).toThrow(
      `orders is declared to listen to ${forgotten?.type ?? ''}, and nothing in it does.`,
    );
  });
});
