import { assertBrokerFit, BrokerUnfit, explainDeclaration } from './broker-requirements.js';

describe('a broker', () => {
  it.each(['3.10.8', '3.13.0-rc.1', '4.1.2', '10.0.0'])('of version %s is used', (version) => {
    expect(() => assertBrokerFit({ product: 'RabbitMQ', version })).not.toThrow();
  });

  it.each(['3.9.29', '2.8.7', 'unknown', undefined])('of version %s is refused', (version) => {
    const message = `it is RabbitMQ ${String(version)}; at least version 3.10 is needed`;
    expect(() => assertBrokerFit({ product: 'RabbitMQ', version })).toThrow(new BrokerUnfit(message));
  });

  it('of another product is refused', () => {
    expect(() => assertBrokerFit({ product: 'Other', version: '9.0.0' })).toThrow('it is Other, not RabbitMQ');
  });

  it('that has not enabled quorum queues is explained', () => {
    const refused = new Error('406 (PRECONDITION-FAILED) with message "invalid arg \'x-dead-letter-strategy\' for queue"');
    expect(explainDeclaration(refused)).toMatchObject({ message: expect.stringContaining('enable_feature_flag all') as string });
    const other = new Error('403 (ACCESS-REFUSED)');
    expect(explainDeclaration(other)).toBe(other);
  });
});
