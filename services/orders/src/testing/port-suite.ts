import { decisionFacts } from './decision-facts.js';
import type { PortsUnderTest } from './ports-under-test.js';
import { readFacts } from './read-facts.js';
import { runFacts } from './run-facts.js';

/** What the use cases of orders rely on, whatever stands behind their ports. */
export function describePorts(name: string, create: () => Promise<PortsUnderTest>): void {
  describe(`the ports of orders on ${name}`, () => {
    let ports: PortsUnderTest;
    beforeAll(async () => {
      ports = await create();
    });
    afterAll(() => ports.dispose());

    for (const [fact, check] of Object.entries({ ...decisionFacts, ...readFacts, ...runFacts })) it(fact, () => check(ports));
  });
}
