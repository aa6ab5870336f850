import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

/**
 * What every answer carries, names and values in turn. They never change, so helmet is asked once and not on every request.
 * This is an interface for programs: nothing of it may be framed, run or kept.
 */
export const securityHeaders = headersByHelmet({ defaultSrc: ["'none'"], frameAncestors: ["'none'"] });

/** The reference is the one page that people open: it runs its own files, asks this very gateway, and nothing else. */
export const pageSecurityHeaders = headersByHelmet({
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  connectSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
});

function headersByHelmet(directives: Readonly<Record<string, string[]>>): readonly string[] {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  const apply = helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    xFrameOptions: { action: 'deny' },
  });
  apply(request, response, () => undefined);
  const headers = Object.entries(response.getHeaders()).flatMap(([name, value]) => [name, String(value)]);
  return [...headers, 'Cache-Control', 'no-store'];
}
