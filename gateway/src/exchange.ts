import type { RouteDeclaration } from '@holdfast/shared/contracts/http';
import type { ServiceName } from '@holdfast/shared/contracts/services';
import type { Answer, RouteMatch, ServedRequest, ServedResponse } from '@holdfast/shared/http-server';
import type { Taken } from './memory-windows.js';
import type { OwnAnswer } from './own-routes.js';
import type { RateLimit } from './rate-limit.js';

/** A declared route of some service, or one that the gateway answers itself. */
export type GatewayTarget =
  | {
      readonly kind: 'service';
      readonly route: RouteDeclaration;
      readonly service: ServiceName;
      /** Where the route has one of its own. */
      readonly limit: RateLimit | undefined;
    }
  | { readonly kind: 'own'; readonly route: RouteDeclaration; readonly answer: OwnAnswer };

/** A page of the reference, outside of the declared routes. */
type PageMatch = { readonly kind: 'page'; readonly page: Answer };

/** One request and its answer, on their way through the pipeline. */
export type Exchange = {
  readonly request: ServedRequest;
  readonly response: ServedResponse;
  readonly requestId: string;
  readonly address: string;
  readonly path: string;
  readonly match: RouteMatch<GatewayTarget> | PageMatch;
  /** What the rate limit has counted it as; every answer tells. */
  taken: Taken | undefined;
  /** Set where the limit of a single route has refused it: the answer tells of that one. */
  refusedBy?: RateLimit;
};

export function routeOf({ match }: Exchange): RouteDeclaration | undefined {
  return match.kind === 'found' ? match.target.route : undefined;
}

/** Never the path that came: the number of different labels stays bounded. */
export function labelOf({ match }: Exchange): string {
  if (match.kind === 'found') return match.target.route.path;
  return match.kind === 'page' ? 'reference' : 'none';
}

export function pathOf(url: string): string {
  const mark = url.indexOf('?');
  return mark === -1 ? url : url.slice(0, mark);
}
