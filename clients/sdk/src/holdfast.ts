import { settingsOf, type CallOptions, type HoldfastOptions, type Settings } from './call-options.js';
import { recordOf } from './call-protected.js';
import { operations, type OperationId } from './generated/operations.js';
import { Resources, type StatementsGetInput } from './generated/resources.js';
import { listOf } from './pages.js';
import { callOf } from './request.js';
import { statementFile } from './statement-file.js';
import { streamEvents, type EventStream, type StreamOptions } from './stream.js';
import { webhooks } from './verify.js';

/** The client. Its resources and methods have the names of the operations in the API reference: `orders.create`, `users.list`. */
export class Holdfast extends Resources {
  declare readonly events: Resources['events'] & {
    /** Follows the events of the marketplace: `GET /api/v1/events`. */
    readonly stream: (options?: StreamOptions) => EventStream;
  };
  declare readonly statements: Resources['statements'] & {
    /** The whole statement as the text of a CSV file, piece by piece. It throws if the file is not whole. */
    readonly csv: (
      userId: string,
      input: Pick<StatementsGetInput, 'from' | 'to' | 'currency'>,
      options?: CallOptions,
    ) => AsyncIterable<string>;
  };
  readonly webhooks: typeof webhooks;

  constructor(options: HoldfastOptions = {}) {
    super();
    const settings = settingsOf(options);
    Object.assign(this, resourcesOf(settings));
    Object.assign(this.events, { stream: (given: StreamOptions = {}) => streamEvents(settings, given) });
    Object.assign(this.statements, {
      csv: (...given: readonly unknown[]) => statementFile(settings, callOf('statements.get', given)),
    });
    this.webhooks = webhooks;
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
