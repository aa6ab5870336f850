/** What a broker says about itself when a connection is opened. */
export type BrokerProperties = { readonly product?: unknown; readonly version?: unknown };

/** The broker lacks what the platform needs; a retry does not help. */
export class BrokerUnfit extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BrokerUnfit';
  }
}

/** The first version in which quorum queues hand dead letters over at least once. */
const versionMin = { major: 3, minor: 10 } as const;

export function assertBrokerFit({ product, version }: BrokerProperties): void {
  if (product !== 'RabbitMQ') throw new BrokerUnfit(`it is ${String(product)}, not RabbitMQ, and its queues differ`);
  const [major = 0, minor = 0] = (/^\d+\.\d+/.exec(String(version))?.[0] ?? '').split('.').map(Number);
  const isOld = major < versionMin.major || (major === versionMin.major && minor < versionMin.minor);
  if (isOld)
    throw new BrokerUnfit(
      `it is RabbitMQ ${String(version)}; at least version ${versionMin.major}.${versionMin.minor} is needed`,
    );
}

/** RabbitMQ refuses an argument of a queue whose feature was not enabled after an upgrade. */
const featureRefused = /NOT[-_]IMPLEMENTED|invalid arg 'x-(queue-type|dead-letter-strategy)'/;

/** The error with what to do about it, where that is known. */
export function explainDeclaration(error: unknown): unknown {
  const text = error instanceof Error ? error.message : String(error);
  if (!featureRefused.test(text)) return error;
  return new BrokerUnfit(
    `it does not offer quorum queues that dead-letter at least once (${text}); run: rabbitmqctl enable_feature_flag all`,
  );
}
