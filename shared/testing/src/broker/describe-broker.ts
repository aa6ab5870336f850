import { serverStartTimeoutMs } from '../servers/index.js';
import type { BrokerUnderTest } from './broker-under-test.js';
import { deliveryFacts } from './delivery-facts.js';
import { failureFacts } from './failure-facts.js';
import { faultFacts } from './fault-facts.js';
import { repeatFacts } from './repeat-facts.js';

const disposeTimeoutMs = 60_000;

/** The contract suite that every broker driver must pass. */
export function describeBroker(name: string, create: () => Promise<BrokerUnderTest>): void {
  describe(`the ${name} driver`, () => {
    let broker: BrokerUnderTest;
    beforeEach(async () => {
      broker = await create();
    }, serverStartTimeoutMs);
    afterEach(() => broker.dispose(), disposeTimeoutMs);

    for (const [fact, check] of Object.entries({ ...deliveryFacts, ...failureFacts, ...faultFacts, ...repeatFacts })) {
      it(fact, () => check(broker), disposeTimeoutMs);
    }
  });
}
