import { settingsOf, type HoldfastOptions, type Settings } from './call-options.js';
import { call } from './call.js';
import { operations, type OperationId } from './generated/operations.js';
import { Resources } from './generated/resources.js';
import { listOf } from './pages.js';
import { callOf, type Call } from './request.js';
import { partOf } from './response.js';

/** The client. Its resources and methods have the names of the operations in the API reference: `orders.create`, `users.list`. */
export class Holdfast extends Resources {
  constructor(options: HoldfastOptions = {}) {
    super();
    const settings = settingsOf(options);
    Object.assign(this, resourcesOf(settings));
  }
}

type Method = (...given: readonly unknown[]) => unknown;

/** One method for each row of the table of operations. */
function resourcesOf(settings: Settings): Readonly<Record<string, Readonly<Record<string, Method>>>> {
  const resources: Record<string, Record<string, Method>> = {};
  for (const id of Object.keys(operations) as readonly OperationId[]) {
    const [resource = '', name = ''] = id.split('.');
    (resources[resource] ??= {})[name] = methodOf(settings, id);
  }
  return resources;
}

function methodOf(settings: Settings, id: OperationId): Method {
  if ('pages' in operations[id]) return (...given) => listOf(settings, callOf(id, given));
  return async (...given) => recordOf(settings, callOf(id, given));
}

async function recordOf(settings: Settings, made: Call): Promise<unknown> {
  const { body, requestId } = await call(settings, made);
  return partOf(body, made.operation.at, requestId);
}
