/**
 * On every answer. It is an interface for programs: nothing may be framed, sniffed, cached or run. Names and values in turn,
 * in the form that is written as it stands.
 */
export const securityHeaders: readonly string[] = [
  'Strict-Transport-Security', 'max-age=31536000; includeSubDomains',
  'Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options', 'nosniff',
  'X-Frame-Options', 'DENY',
  'Referrer-Policy', 'no-referrer',
  'Cross-Origin-Resource-Policy', 'same-origin',
  'Cache-Control', 'no-store',
]; // prettier-ignore
