/**
 * The URL with the meaning that libpq gives `sslmode`: `require` encrypts and checks the certificate only if `sslrootcert` names an
 * authority. The driver by itself would treat `prefer`, `require` and `verify-ca` as `verify-full`, and says that it will not do so in
 * its next version.
 */
export function libpqUrl(url: string): string {
  const parsed = new URL(url);
  if (!parsed.searchParams.has('sslmode') || parsed.searchParams.has('uselibpqcompat')) return url;
  parsed.searchParams.set('uselibpqcompat', 'true');
  return parsed.toString();
}
