import { useRead } from './use-read.js';

/** Whether the platform runs on the sandbox, where money is not real. False until it is known. */
export function useIsSandbox(): boolean {
  const { data } = useRead(['platform.getConfig'], (api) => api.platform.getConfig());
  return data !== undefined && Object.values(data.providers).includes('sandbox');
}
