/** How often each route of the escrow provider was called since the start of the process, by the status of the response. */
export type ProviderCalls = {
  readonly count: (route: string, status: number) => void;
  readonly counts: () => Readonly<Record<string, Readonly<Record<string, number>>>>;
};

export function createProviderCalls(): ProviderCalls {
  const byRoute = new Map<string, Map<number, number>>();
  return {
    count: (route, status) => {
      const byStatus = byRoute.get(route) ?? new Map<number, number>();
      byRoute.set(route, byStatus.set(status, (byStatus.get(status) ?? 0) + 1));
    },
    counts: () => Object.fromEntries([...byRoute].map(([route, byStatus]) => [route, Object.fromEntries(byStatus)])),
  };
}
