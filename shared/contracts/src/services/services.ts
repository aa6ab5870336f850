/** Every part that owns data. The order is the order of their ports; the gateway is 8080. */
export const services = {
  identity: { port: 8081, exists: true },
  'ledger-balance': { port: 8082, exists: true },
  orders: { port: 8083, exists: true },
  'escrow-adapter': { port: 8084, exists: true },
  payments: { port: 8085, exists: false },
  notifications: { port: 8086, exists: true },
} as const;

export type ServiceName = keyof typeof services;
export const serviceNames = Object.keys(services) as readonly ServiceName[];

/** Queues are declared only for services that exist, else messages would pile up where nobody listens. */
export const existingServices = serviceNames.filter((name) => services[name].exists);
