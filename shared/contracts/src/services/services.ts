/** All services with their default ports. The gateway has port 8080. */
export const services = {
  identity: { port: 8081, exists: true },
  'ledger-balance': { port: 8082, exists: true },
  orders: { port: 8083, exists: true },
  'escrow-adapter': { port: 8084, exists: true },
  payments: { port: 8085, exists: true },
  notifications: { port: 8086, exists: true },
} as const;

export type ServiceName = keyof typeof services;
export const serviceNames = Object.keys(services) as readonly ServiceName[];

/** Queues are declared only for existing services, because messages would pile up in a queue without a consumer. */
export const existingServices = serviceNames.filter((name) => services[name].exists);
