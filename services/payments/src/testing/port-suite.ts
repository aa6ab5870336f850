import type { PortsUnderTest } from './ports-under-test.js';
import { readFacts } from './read-facts.js';
import { transactionFacts } from './transaction-facts.js';

/** What the use cases of payments rely on, whatever stands behind their ports. */
export function describePorts(name: string, create: () => Promise<PortsUnderTest>): void {
  describe(`the ports of payments on ${name}`, () => {
    let ports: PortsUnderTest;
    beforeAll(async () => {
      ports = await create();
    });
    afterAll(() => ports.dispose());

    for (const [fact, check] of Object.entries({ ...transactionFacts, ...readFacts })) it(fact, () => check(ports));
  });
}
