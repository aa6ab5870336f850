import {
  getControlsOfAdapter,
  getControlsOfOrders,
  getControlsOfPayments,
  getEmergencyStop,
  type EmergencyStopView,
  type ProvidersRecord,
} from '@holdfast/contracts/http';
import type { Context } from '@holdfast/kernel/context';
import { askServices, type Question, type ServiceClients } from './ask-service.js';

const readStop: Question<EmergencyStopView> = (client, context) => client.call(getEmergencyStop, {}, context);

/** The emergency stop of identity, and the controls as each service that obeys it knows them. */
export async function readProviders(clients: ServiceClients, ctx: Context): Promise<ProvidersRecord> {
  const [stop, controls] = await Promise.all([
    askServices(clients, [['identity', readStop]], ctx),
    askServices(
      clients,
      [
        ['orders', (client, context) => client.call(getControlsOfOrders, {}, context)],
        ['escrow-adapter', (client, context) => client.call(getControlsOfAdapter, {}, context)],
        ['payments', (client, context) => client.call(getControlsOfPayments, {}, context)],
      ],
      ctx,
    ),
  ]);
  return {
    emergencyStop: stop.answers[0]?.found ?? null,
    services: controls.answers.map(({ service, found }) => ({ service, ...found })),
    unavailable: [...stop.unavailable, ...controls.unavailable],
  };
}
