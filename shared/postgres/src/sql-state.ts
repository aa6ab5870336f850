/** The SQLSTATE, or the code of a failed system call. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, driverError } = error as { readonly code?: unknown; readonly driverError?: unknown };
  return typeof code === 'string' ? code : codeOf(driverError);
}
